/** A player's own results. */
export default {
  title: 'Your results', guest: 'You have not played here yet. Sit down, and your games will be listed here.', playNow: 'To the start page', failed: 'Your results cannot be loaded.', loading: 'One moment …',
  games: 'Games', won: '{n} won', rounds: 'Rounds', perRound: 'Points per round', perRoundText: '{ours} for your team, {theirs} for the others', firstOut: 'Out first', double: 'Double victories', ofRounds: '{n} of {all} rounds',
  calls: 'Your calls', callsText: 'Beside them, what people do on average: in a large sample of games between people, each player calls Tichu in {tichu} of rounds and Grand Tichu in {grand}.', callRate: 'Called', madeRate: 'Made', you: 'You', people: 'People', timesOf: '{n} of {all}', never: 'never called',
  noneCounted: 'No counted games yet. Casual games are listed below, but they count in no statistics.', counted: 'Counted over your last games, casual ones left out.',
  list: 'Your games', none: 'No finished games yet.', more: 'Show older games', win: 'won', loss: 'lost', draw: 'drawn', casual: 'casual', watch: 'Look at the game again', against: '{us} against {them}', date: 'Date', players: 'Players', score: 'Score', rules: 'Rules',
} as const satisfies Record<string, string>;
