// What a finger, a mouse or an eye cannot reach on this screen, one sentence each.
// Called with {needed, cards, hasNotice, insets}: texts of controls that must be there, how many cards the hand has at
// least, whether something is told that must be seen, and what the screen keeps for itself at its edges.
(({ needed, cards, hasNotice, insets }) => {
  const SMALLEST = 24;
  const UNBROKEN = /\S{20}/;
  // The rank's place on the picture of a card, as shares of its width and height.
  const INDEX = { width: 0.43, height: 0.42 };
  const faults = [];
  const { left, top, right, bottom } = insets;
  const screen = { left, top, right: innerWidth - right, bottom: innerHeight - bottom };
  const root = [...document.querySelectorAll('dialog[open], :popover-open')].at(-1) ?? document.body;

  const clean = (text) => text.replace(/\s+/g, ' ').trim();
  const round = (box) =>
    `${Math.round(box.left)},${Math.round(box.top)} to ${Math.round(box.right)},${Math.round(box.bottom)}`;
  const nameOf = (node) => {
    const label = node.getAttribute('aria-label') ?? clean(node.textContent ?? '');
    return `${node.tagName.toLowerCase()} "${label.slice(0, 40) || node.className}"`;
  };
  const isShown = (node) =>
    node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !node.closest('.unseen, noscript');
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = (box, least = 1) => box.right - box.left < least || box.bottom - box.top < least;

  function clips(node) {
    const found = [];
    for (let at = node; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') found.push([at, style]);
      if (style.position === 'fixed') break;
    }
    return found;
  }
  const scrolls = (style) => /auto|scroll/.test(style.overflowX + style.overflowY);

  /**
   * Scroll as a person could: only what has a scroll bar, and the page only for what may be below.  What is needed is
   * seen without that.
   */
  function reveal(node, isNeeded) {
    if (isNeeded) return;
    for (const [at, style] of clips(node.parentElement)) {
      if (!scrolls(style)) continue;
      const box = node.getBoundingClientRect();
      const view = at.getBoundingClientRect();
      if (box.top < view.top || box.bottom > view.bottom)
        at.scrollTop += (box.top + box.bottom - view.top - view.bottom) / 2;
      if (box.left < view.left || box.right > view.right)
        at.scrollLeft += (box.left + box.right - view.left - view.right) / 2;
    }
    const box = node.getBoundingClientRect();
    // As with the focus, what is below something that stays in sight is not in sight.
    const top = screen.top + (parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0);
    if (root === document.body && (box.top < top || box.bottom > screen.bottom))
      scrollBy({ top: (box.top + box.bottom - screen.top - screen.bottom) / 2, behavior: 'instant' });
  }

  function hit(node, box, name) {
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    if (width < SMALLEST || height < SMALLEST)
      faults.push(`${name} has ${width.toFixed(1)} x ${height.toFixed(1)} px`);
    if (box.left < screen.left - 0.6 || box.top < screen.top - 0.6)
      faults.push(`${name} is cut by the screen: ${round(box)}`);
    else if (box.right > screen.right + 0.6 || box.bottom > screen.bottom + 0.6)
      faults.push(`${name} is cut by the screen: ${round(box)}`);
    for (const [x, y] of [
      [0.5, 0.5],
      [0.25, 0.25],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.75, 0.75],
    ]) {
      const there = document.elementFromPoint(box.left + width * x, box.top + height * y);
      if (there && (node.contains(there) || there.closest('label')?.contains(node))) continue;
      const what = there ? nameOf(there) : 'nothing';
      faults.push(`${name} at ${round(box)} is covered at ${x}, ${y} by ${what}`);
      return;
    }
  }

  /** What is free of a card that others lie on. */
  function strip(box, later) {
    const free = { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
    const [width, height] = [box.width, box.height];
    for (const other of later) {
      if (isEmpty(meet(free, other))) continue;
      if (other.left > box.left + width * 0.2 && other.top < box.top + height * 0.35) free.right = other.left;
      else if (other.top > box.top + height * 0.2) free.bottom = other.top;
    }
    return free;
  }

  scrollTo({ top: 0, behavior: 'instant' });
  if (hasNotice && root === document.body && ![...document.querySelectorAll('.notice')].some(isShown))
    faults.push('there is no notice');
  const hand = [...root.querySelectorAll('.hand button[data-card]')].filter(isShown);
  if (root === document.body && hand.length < cards) faults.push(`${hand.length} cards instead of ${cards}`);
  const boxes = hand.map((card) => card.getBoundingClientRect());
  hand.forEach((card, i) => {
    const free = strip(boxes[i], boxes.slice(i + 1));
    hit(card, free, `card ${card.dataset.card}`);
    if (free.right - free.left < boxes[i].width * INDEX.width || free.bottom - free.top < boxes[i].height * INDEX.height)
      faults.push(`the index of ${card.dataset.card} is covered: ${round(free)} of ${round(boxes[i])}`);
  });

  // Of a list the first and the last line are enough.
  const isInside = (node) => {
    const line = node.closest('ol > li');
    return line?.previousElementSibling && line.nextElementSibling;
  };
  const controls = [...root.querySelectorAll('button, a[href], select, input, textarea, summary')].filter(
    (node) => isShown(node) && !node.matches(':disabled') && !hand.includes(node) && !isInside(node),
  );
  // A closed list shows its choice in one line, and cuts it; it needs a few pixels for its arrow.
  const ARROW = 12;
  const pen = document.createElement('canvas').getContext('2d');
  for (const list of controls.filter((node) => node.matches('select'))) {
    const style = getComputedStyle(list);
    const choice = list.selectedOptions[0]?.text ?? '';
    pen.font = style.font;
    const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - ARROW;
    if (style.opacity !== '0' && pen.measureText(choice).width > room)
      faults.push(`"${choice}" is cut in ${nameOf(list)}`);
  }
  const wanted = new Set();
  for (const text of needed) {
    const found = controls.find((node) =>
      text.startsWith('.')
        ? node.matches(text)
        : [node.getAttribute('aria-label'), clean(node.innerText ?? '')].includes(text),
    );
    if (found) wanted.add(found);
    else faults.push(`"${text}" is not there`);
  }
  // Links in a sentence are as high as its lines.
  const isInText = (node) => node.matches('p a') && clean(node.textContent) !== clean(node.closest('p').textContent);
  for (const node of controls) {
    if (isInText(node)) continue;
    reveal(node, wanted.has(node));
    hit(node, node.getClientRects()[0] ?? node.getBoundingClientRect(), nameOf(node));
  }

  scrollTo({ top: 0, behavior: 'instant' });
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = clean(node.data);
    if (!text || !parent || parent.closest('script, style, option, svg') || !isShown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      // Letters do not fill their line.
      const slack = line.height * 0.16;
      let box = { left: line.left + 1, top: line.top + slack, right: line.right - 1, bottom: line.bottom - slack };
      // A name without blanks may end in dots.
      const dotted = UNBROKEN.test(text) && clips(parent).find(([, style]) => style.textOverflow === 'ellipsis');
      if (dotted) box = meet(box, dotted[0].getBoundingClientRect());
      if (isEmpty(box)) continue;
      const control = parent.closest('button, a, label, summary');
      if (control && getComputedStyle(control).display !== 'inline') {
        const own = control.getBoundingClientRect();
        if (box.left < own.left - 0.5 || box.right > own.right + 0.5 || box.top < own.top || box.bottom > own.bottom)
          faults.push(`text "${text}" leaves ${nameOf(control)}: ${round(box)} of ${round(own)}`);
      }
      let cut = '';
      for (const [at, style] of clips(parent)) {
        const seen = meet(box, at.getBoundingClientRect());
        const isNarrower = seen.left > box.left + 1.5 || seen.right < box.right - 1.5;
        const isLess = isEmpty(seen) || isNarrower || seen.bottom < box.bottom - 1.5;
        // Lists of suggestions are made to be scrolled sideways; nothing else is.
        if (isLess && !scrolls(style)) cut ||= nameOf(at);
        else if (isNarrower && at.scrollWidth > at.clientWidth + 1 && !at.matches('.chips')) cut ||= nameOf(at);
        box = seen;
        if (isEmpty(box)) break;
      }
      if (cut) faults.push(`text "${text}" is cut by ${cut}`);
      // Less than half of a line at the edge of what can be scrolled is not there yet.
      if (isEmpty(box) || box.bottom - box.top < line.height * 0.34) continue;
      const isBelow = root === document.body && box.top > innerHeight - 1;
      if (!isBelow && (box.left < screen.left - 1 || box.right > screen.right + 1 || box.top < screen.top - 1))
        faults.push(`text "${text}" leaves the screen: ${round(box)}`);
      if (!isBelow && !isEmpty(meet(box, screen))) texts.push({ node, parent, text, box: meet(box, screen) });
    }
  }
  texts.forEach((one, i) => {
    for (const other of texts.slice(i + 1))
      if (one.node !== other.node && !isEmpty(meet(one.box, other.box), 1.5))
        faults.push(`texts overlap: "${one.text}" and "${other.text}" at ${round(meet(one.box, other.box))}`);
    const { left, right, top, bottom } = one.box;
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    // A list that cannot be seen lies over the words of its label.
    const isGlass = there?.matches('select') && getComputedStyle(there).opacity === '0';
    if (isGlass && there.closest('label')?.contains(one.parent)) return;
    if (there && !there.contains(one.parent) && !one.parent.contains(there))
      faults.push(`text "${one.text}" is covered by ${nameOf(there)}`);
  });
  const faces = [...root.querySelectorAll('svg.card')].filter(isShown);
  for (const face of faces) {
    let box = face.getBoundingClientRect();
    for (const [at] of clips(face.parentElement)) box = meet(box, at.getBoundingClientRect());
    const under = texts.find((one) => !isEmpty(meet(one.box, box), 2));
    if (under) faults.push(`text "${under.text}" lies on a card at ${round(box)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1)
    faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  return [...new Set(faults)];
})
