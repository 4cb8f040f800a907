/** What strong play looks like.  The figures are those of lib/champion.json, which docs/bots.md explains. */
export default {
  title: 'Strategy',
  lead:
    'Tichu is decided by who goes out first, and by calls. Habits of strong players, and what our strongest bot, ' +
    'which has taught itself by playing, does about them.',
  champion: 'The champion',
  lesson: 'To try them out, take the lesson.',
  rules: 'The rules in short',
  'plan.title': 'Count turns',
  'plan.text':
    'Part your hand into as few plays as you can. Every play that nobody beats gives you the lead back and costs ' +
    'no turn, so the question is always: how many plays of mine need somebody else’s permission?',
  'low.title': 'Get rid of what is low while you have the lead',
  'low.text':
    'Low singles and pairs win nothing and are hard to part with later. Lead them early, as long as you hold the ' +
    'aces and the Dragon to come back. Whoever spends the high cards first ends with one small card and no way to ' +
    'play it.',
  'save.title': 'Spend high cards on the lead, not on points',
  'save.text':
    'An ace or the Dragon should win a trick after which you have something good to lead. A trick with few points ' +
    'and nothing to follow it up is better left to somebody else.',
  'beat.title': 'Beat opponents, mostly',
  'beat.text':
    'A trick that the others get cheaply is a lead for them. If you can beat it with cards that your plan does not ' +
    'miss, do.',
  'beat.number':
    'On an opponent’s trick it plays in {beats} % of the cases where it can; people do in {beatsPeople} %.',
  'partner.title': 'Your partner is half of your hand',
  'partner.text':
    'Let your partner’s trick go unless you can go out or have the better lead. If your partner has called, ' +
    'everything serves that call: the Dog, passing, and stopping the player who follows.',
  'partner.number': 'It goes over its partner in {over} % of the cases where it can, people in {overPeople} %.',
  'stop.title': 'Make an opponent’s call expensive',
  'stop.text':
    'Whoever has called needs the lead. Take it with what you have, play kinds that they have passed on before, ' +
    'and keep a bomb for their last but one play rather than for a pile of points.',
  'give.title': 'Give in the exchange, but not everything',
  'give.text':
    'Your opponents get what your hand misses least, if you can not two cards of one rank. Your partner gets a ' +
    'good card, a better one the weaker your hand is; your own plan comes first if it is the stronger one.',
  'give.number':
    'It gives its partner an ace in {ace} % of exchanges and the Dragon or the Phoenix in {special} %; people do ' +
    'in {acePeople} % and {specialPeople} %. In {low} % the card is below ten (people: {lowPeople} %).',
  'wish.title': 'Wish for the card that you gave',
  'wish.text':
    'The player after you has it for certain, must play it if they can, and your partner loses nothing. Never wish ' +
    'for what your partner may need for a bomb or to hold a call.',
  'bomb.title': 'A bomb is a hand, not a trophy',
  'bomb.text':
    'Keep it for a call that must fall, or for the trick that lets you go out. But four sevens can also be what ' +
    'makes your straights: if the hand is over sooner without it, take it apart.',
  'bomb.number':
    'It plays a part of a bomb in {breaks} % of the turns in which it holds one, people in {breaksPeople} %.',
  'call.title': 'Call when you know how it ends',
  'call.text':
    'Tichu is worth calling if you see the order of your plays and have the lead twice: enough aces, the Dragon, ' +
    'the Phoenix, few loose cards. Wait until the last moment, but not beyond your first card.',
  'call.number':
    'Its Tichu succeeds in {tichuMade} % of its calls, Grand Tichu in {grandMade} %; those of people in ' +
    '{tichuMadePeople} % and {grandMadePeople} %.',
  'score.title': 'Look at the score before you dare',
  'score.text':
    'Far behind, a failed call costs little that is not lost already; far ahead, it gives away what you have. ' +
    'Close to the goal, the team that is behind must gamble, and both know it.',
  'score.number':
    'On the same first eight cards it calls Grand Tichu in {grandLevel} % of cases at 0 : 0, in {grandBehind} % at ' +
    '0 : 900 and in {grandAhead} % at 900 : 0.',
  source: 'Where the figures come from is told in docs/bots.md, with the commands that give them.',
} as const satisfies Record<string, string>;
