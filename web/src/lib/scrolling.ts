/** Let the keyboard reach a text that has to be scrolled: as long as there is more of it than room. */
export function focusable(node: HTMLElement): () => void {
  const update = () => {
    if (node.scrollHeight > node.clientHeight + 1) node.tabIndex = 0;
    else node.removeAttribute('tabindex');
  };
  const size = new ResizeObserver(update);
  const content = new MutationObserver(update);
  size.observe(node);
  content.observe(node, { childList: true, characterData: true, subtree: true });
  return () => {
    size.disconnect();
    content.disconnect();
  };
}
