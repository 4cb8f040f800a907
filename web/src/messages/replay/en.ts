/** Looking at a game again. */
export default {
  title: 'Replay of a game', missing: 'There is no such game, or it is still being played.', loading: 'Getting the game …', failed: 'The game cannot be loaded.',
  against: 'against', rounds: 'Rounds', actions: 'What happened', tools: 'With this game',
  allHands: 'All hands', eyes: 'See the cards of', seenBy: 'As {name} saw it',
  grand: 'Grand Tichu?', exchange: 'Exchange', trick: 'Trick {n}', taken: '{name} takes it', deal: 'The deal', tichuBy: '{name} calls Tichu',
  noGrand: '{name}: no Grand Tichu', decided: '{name} has decided', gives: '{name} gives three cards', noBomb: '{name} does not bomb',
  grandText: 'Everyone has seen eight cards.', to: 'to {name}', givesTo: '{name} gives', hidden: 'chosen, not shown',
  handOf: '{name}’s cards', out: 'out as number {n}', called: 'has called {call}', turn: 'to play', passed: 'passes', points: '{n} point taken|{n} points taken', noCards: 'no cards left',
  start: 'To the deal', end: 'To the end of the round', back: 'One action back', on: 'One action on', trickBack: 'One trick back', trickOn: 'One trick on', play: 'Let it run', pause: 'Stop', slider: 'Position in the round',
  stepOf: '{at} of {all}', roundOver: 'Round {n} is over', double: 'Double victory', cardPoints: 'Cards', calls: 'Calls', sum: 'Round', total: 'Total',
  playOn: 'Play on from here', playOnText: 'You take a seat at a new casual table with these very cards; bots take the others. Nothing counts.', playOnAs: 'Play as', playOnOver: 'The round is over here: go back to where you want to play on.', playOnGo: 'Take the seat',
  copy: 'Copy the link to this position', copied: 'Copied', notCopied: 'Copy this address: {address}', save: 'Save the game', saveTtn: 'as text (.ttn)', saveTch: 'as BrettspielWelt log (.tch)', saveJson: 'as JSON (.json)',
  keys: 'Keys: ← → one action, ↑ ↓ one trick, Home and End, Page Up and Page Down for rounds, Space to let it run, A for all hands.',
} as const satisfies Record<string, string>;
