/** The rules in short.  The numbered reference is docs/rules.md. */
export default {
  title: 'The rules of Tichu',
  contents: 'Contents',
  lesson: 'Would you rather try than read? Take the lesson.',
  'aim.title': 'What it is about',
  'aim.text':
    'Four people play in two teams; partners sit opposite each other. Everyone gets fourteen cards and tries to get ' +
    'rid of them, ideally before anyone else. Along the way, tricks bring points. The first team with 1000 points ' +
    'wins.',
  'cards.title': 'The cards',
  'cards.text':
    'There are four suits, swords, pagodas, jade and stars, each from 2 up to the ace, and four special cards. ' +
    'Suits matter for one thing only: a straight in one suit is a bomb.',
  'cards.points':
    'Few cards count: fives 5, tens and kings 10, the Dragon 25, and the Phoenix takes 25 away. Together that ' +
    'makes 100.',
  'combos.title': 'What can be played',
  'combos.text':
    'Whoever leads chooses one of these. To beat it takes the same kind with just as many cards, but higher.',
  single: 'a single card',
  pair: 'a pair',
  triple: 'three of a kind',
  house: 'a full house: three of a kind and a pair; the three decide',
  straight: 'a straight: five or more in a row',
  stairs: 'stairs: two or more pairs in a row',
  'trick.title': 'A trick',
  'trick.text':
    'In turn, everyone plays higher or passes. If you have passed you may play again when your turn comes round. ' +
    'When all others have passed, the last to play takes the trick and leads the next one.',
  'bombs.title': 'Bombs',
  'bombs.text':
    'A bomb beats anything else, and usually it may be thrown at any moment, whoever’s turn it is. Among bombs a ' +
    'straight flush beats four of a kind, longer beats shorter, then higher beats lower. Nobody can bomb an ' +
    'empty table or the Dog.',
  four: 'four of a kind',
  flush: 'a straight flush: five or more of one suit in a row',
  'special.title': 'The four special cards',
  'special.Ma':
    'The Mah Jong is the 1. Whoever holds it leads the first trick, with whatever they like. It can be led alone ' +
    'or start a straight. Whoever plays it may wish for a rank from 2 to ace.',
  'special.wish':
    'From then on, whoever can play that rank on their turn must do so, in any combination that is allowed. The ' +
    'wish ends when the rank is played. The Phoenix is never the wished card.',
  'special.Do':
    'The Dog is led alone and beats nothing. The lead simply goes to your partner, or if they are out, to the ' +
    'next player.',
  'special.Ph':
    'The Phoenix stands for any card from 2 to ace in a combination, but never in a bomb. Alone it is half a ' +
    'step above the card it is played on; led, it is one and a half. It cannot beat the Dragon. It costs 25 ' +
    'points.',
  'special.Dr':
    'The Dragon is the highest single card and worth 25 points; only a bomb beats it. If it wins the trick, its ' +
    'player gives the whole trick to an opponent and still leads next.',
  'round.title': 'A round',
  'round.deal': 'Everyone first gets eight cards and may call Grand Tichu. Then come the other six.',
  'round.exchange': 'Exchange: each player gives one card to each of the others, face down and at the same time.',
  'round.lead': 'The holder of the Mah Jong leads.',
  'round.end':
    'When you have no cards left you are out. The round ends when three players are out, or at once when two ' +
    'partners are out first and second.',
  'calls.title': 'Tichu and Grand Tichu',
  'calls.text':
    'Both mean: I will go out first. Tichu can be called until you play your first card and is worth 100 points; ' +
    'Grand Tichu only on the first eight cards, for 200. If you go out first, your team gets them, otherwise it ' +
    'loses them. Your partner cannot help by going out first.',
  'score.title': 'Scoring',
  'score.double': 'If partners go out first and second: 200 points, and no cards are counted.',
  'score.last':
    'Otherwise the last player gives the cards in their hand to the other team, and their tricks to whoever was out ' +
    'first.',
  'score.count': 'Then each team counts its tricks: together always 100 points. Calls are added or taken off.',
  'score.match': 'Rounds are added up until a team has 1000 points.',
  'variants.title': 'Rule sets',
  'variants.text':
    'People play Tichu in different ways. Choose a rule set to see how it answers; a mark shows what differs from ' +
    'the standard rules. Each answer can be changed when you open a table.',
  'variants.differs': 'different from Standard',
  rule: 'Rule',
  value: 'Answer',
  meaning: 'What it is about',
  points: '{n} points',
  oneRound: 'one round',
  'about.standard': 'The full game as most people know it.',
  'about.classic': 'The long-standing table rules: the Mah Jong must make a wish.',
  'about.courtesy': 'Bombs in a polite order, and stairs of triples and fours.',
  'about.single-round': 'One round decides, and bombs wait for their turn.',
  'about.simple': 'No exchange, no wish, and the table makes the calls.',
  'about.brettspielwelt': 'As on the old game site: clockwise.',
  'field.direction': 'Which way the turn goes round the table.',
  'field.goal': 'When the match is won. If a single round is drawn, one more is played.',
  'field.grand': 'Whether Grand Tichu can be called.',
  'field.exchange': 'Whether cards are given before play.',
  'field.calls': 'Who calls Tichu: the players, or the table for strong hands.',
  'field.tichu_from': 'When Tichu can first be called.',
  'field.wish': 'Whether the Mah Jong may or must wish.',
  'field.phoenix_grants_wish': 'Whether a Phoenix that stands for the wished rank counts as it.',
  'field.bombs': 'When a bomb may be thrown.',
  'field.equal_flush': 'What happens when two straight flushes are equally long and high.',
  'field.stairs': 'Whether triples and fours in a row can be played too.',
  'field.dragon': 'Who decides which opponent gets the Dragon’s trick.',
} as const satisfies Record<string, string>;
