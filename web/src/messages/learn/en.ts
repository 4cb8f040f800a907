/** The lesson.  Short sentences: somebody reads them for the first time, and wants to play. */
export default {
  title: 'Learn Tichu',
  step: 'Step {at} of {all}',
  last: 'The last step',
  task: 'Your turn',
  done: 'Done',
  miss: 'Not quite',
  next: 'Next',
  back: 'Back',
  again: 'Try again',
  skip: 'Skip this',
  leave: 'End the lesson',
  coach: 'Lesson',
  laying: 'Laying out the cards …',
  failed: 'The table cannot be set up: {why}',
  suits: 'Four suits, 2 up to the ace. The coin shows a card’s points.',
  pair: 'pair',
  triple: 'triple',
  house: 'full house',
  straight: 'straight',
  stairs: 'stairs',
  four: 'four of a kind',
  flush: 'straight in one suit',

  'beat.title': 'Get rid of your cards',
  'beat.text':
    'Four people, two teams: your partner sits opposite. The aim is to have no cards left before the others. One ' +
    'player leads; everyone else plays higher or passes.',
  'beat.task': '{left} has led a six. Tap a higher card and play it.',
  'beat.done':
    'Everybody passed, so the trick is yours and you lead next. Tricks hold the points: fives count 5, tens and ' +
    'kings 10.',
  'beat.miss': 'Passing is allowed, but here you can win the trick. Have another go.',
  'combos.title': 'Cards go faster together',
  'combos.text':
    'Whoever leads may choose one of these. The others must answer with the same kind and just as many cards, ' +
    'only higher.',
  'combos.task': 'You lead. Tap cards that belong together; the button names what they are. Play two or more at once.',
  'combos.done': 'Lovely! Only the same kind, just as long and higher, can beat that.',
  'combos.miss': 'A single card is fine too, but there is more in this hand. Have another go.',
  'pass.title': 'Passing is playing too',
  'pass.text':
    'You never have to beat a card. If you pass now, you may come back later in the same trick. And your partner’s ' +
    'points are your points.',
  'pass.task': '{partner} is winning with a king. You have an ace. Keep it, and pass.',
  'pass.done': 'Just right: {partner} wins the trick, and you still have your ace.',
  'pass.miss': 'You beat your own partner. Everybody does that once! Have another go.',
  'bomb.title': 'Bombs',
  'bomb.text':
    'These two are bombs. A bomb beats everything except a bigger bomb, and it does not have to wait for its turn.',
  'bomb.task': '{right} has played a pair of aces. Throw your four sevens!',
  'bomb.done': 'Boom. Nobody could beat the aces, but you did.',
  'bomb.miss': 'The aces got away. Have another go: the Bomb button is there whenever you hold one.',
  'wish.title': 'The Mah Jong makes a wish',
  'wish.text':
    'Four cards are special. The Mah Jong is the 1, and whoever holds it leads first. When you play it, you may ' +
    'wish for a rank: whoever can play that rank has to.',
  'wish.task': 'You know that {right} holds an ace. Play the Mah Jong and wish for an ace.',
  'wish.done': 'There it goes! A wish stands until somebody fulfils it.',
  'wish.miss': 'Have another go: play the Mah Jong alone, then choose the ace.',
  'phoenix.title': 'The Phoenix helps out',
  'phoenix.text':
    'In a combination the Phoenix stands for any card you need, only never in a bomb. Alone it is just a little ' +
    'higher than the card before it, even an ace. It costs 25 points, though, whoever takes it.',
  'phoenix.task': '{left} has played a pair of tens. Your queen is alone: give her the Phoenix.',
  'phoenix.done': 'A pair of queens! The number on the Phoenix shows what it stands for.',
  'phoenix.miss': 'Have another go: tap the queen. If the Phoenix does not come along, tap it too.',
  'dragon.title': 'The Dragon takes, and gives',
  'dragon.text':
    'The Dragon is the highest single card and worth 25 points. Only a bomb beats it. But the trick it wins goes ' +
    'to an opponent, and you choose which.',
  'dragon.task': '{left} has played an ace. Play the Dragon, then give the trick away.',
  'dragon.done': 'The points are gone, but the lead is yours, and often that is worth more.',
  'dragon.miss': 'Have another go: play the Dragon.',
  'dog.title': 'The Dog runs to your partner',
  'dog.text': 'The Dog beats nothing and wins nothing. You lead it, and your partner leads next.',
  'dog.task': '{partner} has called Tichu and must be out first. Help: lead the Dog.',
  'dog.done': 'Good dog! Now {partner} leads.',
  'dog.miss': 'Have another go: lead the Dog.',
  'exchange.title': 'Three gifts',
  'exchange.text':
    'Every round begins like this: each player gives one card to each of the others, face down. Low ones to the ' +
    'left and right, a good one to your partner. Keep together what belongs together.',
  'exchange.task': 'Tap three cards, for {left}, {partner} and {right}, and give them.',
  'exchange.done': 'You got three cards too. Whoever holds the Mah Jong now leads.',
  'exchange.miss': 'Have another go.',
  'calls.title': 'Tichu!',
  'calls.text':
    'Is your hand strong? Until you play your first card you may call Tichu: going out first wins 100 points, ' +
    'anything else costs 100. Grand Tichu is 200, called on your first eight cards.',
  'calls.task': 'What a hand. Press Tichu and call!',
  'calls.done':
    'Brave! A round ends when three players are out; then tricks are counted, 100 points in all. If two partners ' +
    'are out first, they get 200 at once. The match goes to 1000.',
  'calls.miss': 'You have played a card, so it is too late to call. Have another go.',
  'round.title': 'Now a real round',
  'round.text':
    'You know all you need. Here is a whole round with three bots. The Hint button says what a bot would do, and ' +
    'why.',
  'round.done': 'Your first round!',
  'round.score': 'Your team {ours}, the others {theirs}.',
  'round.end': 'You can play Tichu now. Have fun!',
  'round.now': 'Another round',
  'round.watch': 'See it again',
  'round.rules': 'Read the rules',
  'tip.grand': 'Eight cards, and a question: Grand Tichu? If in doubt, say no.',
  'tip.exchange': 'Choose your gifts: low cards to the sides, a good one to your partner.',
  'tip.lead': 'You lead. Low cards and long combinations go first.',
  'tip.follow': 'Beat it if that is cheap, or pass.',
  'tip.wish': 'Wish for a card that would help you. Nothing is fine too.',
  'tip.gift': 'Give the trick to the opponent who looks slower.',
  'tip.wait': 'The others are deciding. Watch what they play.',
  'tip.out': 'You are out. See how it ends!',
} as const satisfies Record<string, string>;
