import type en from './en';

/** Wie starkes Spiel aussieht.  Die Zahlen sind die von lib/champion.json, die docs/bots.md erklärt. */
const de: Readonly<Record<keyof typeof en, string>> = {
  title: 'Strategie',
  lead:
    'Tichu entscheidet sich daran, wer zuerst fertig ist, und an den Ansagen. Gewohnheiten starker Spieler, und ' +
    'wie es unser stärkster Bot damit hält, der sich das Spiel selbst beigebracht hat.',
  champion: 'Der Champion',
  lesson: 'Zum Ausprobieren gibt es den Lehrgang.',
  rules: 'Die Regeln in Kürze',
  'plan.title': 'Zähle die Züge',
  'plan.text':
    'Teile deine Hand in so wenige Spielzüge wie möglich. Was niemand schlägt, bringt das Ausspiel zurück und ' +
    'kostet keinen Zug. Die Frage ist also immer: Wie viele meiner Züge brauchen die Erlaubnis der anderen?',
  'low.title': 'Spiele Niedriges weg, solange du ausspielst',
  'low.text':
    'Niedrige Einzelkarten und Paare gewinnen nichts und gehen später schwer weg. Spiele sie früh aus, solange du ' +
    'mit Assen und Drachen wieder ans Spiel kommst. Wer die hohen Karten zuerst ausgibt, bleibt auf einer kleinen ' +
    'sitzen.',
  'save.title': 'Hohe Karten sind für das Ausspiel da, nicht für Punkte',
  'save.text':
    'Ein Ass oder der Drache soll einen Stich holen, nach dem du etwas Gutes auszuspielen hast. Ein Stich mit ' +
    'wenigen Punkten, auf den nichts folgt, ist bei anderen besser aufgehoben.',
  'beat.title': 'Schlage die Gegner, meistens',
  'beat.text':
    'Ein Stich, den die anderen billig bekommen, ist ein Ausspiel für sie. Kannst du ihn mit Karten schlagen, die ' +
    'deinem Plan nicht fehlen, dann tu es.',
  'beat.number':
    'Auf einen Stich des Gegners spielt er in {beats} % der Fälle, in denen er kann; Menschen in {beatsPeople} %.',
  'partner.title': 'Dein Partner ist die Hälfte deiner Hand',
  'partner.text':
    'Lass seinen Stich laufen, außer du kannst fertig werden oder hast das bessere Ausspiel. Hat er angesagt, ' +
    'dient alles dieser Ansage: der Hund, das Passen und das Bremsen dessen, der nach ihm kommt.',
  'partner.number': 'Er geht in {over} % der Fälle, in denen er kann, über den Partner, Menschen in {overPeople} %.',
  'stop.title': 'Mach die Ansage eines Gegners teuer',
  'stop.text':
    'Wer angesagt hat, braucht das Ausspiel. Nimm es mit allem, was du hast, spiele, worauf er schon gepasst hat, ' +
    'und heb eine Bombe für seinen vorletzten Zug auf statt für einen Haufen Punkte.',
  'give.title': 'Gib beim Schieben, aber nicht alles',
  'give.text':
    'Die Gegner bekommen, was deiner Hand am wenigsten fehlt, möglichst nicht zwei Karten eines Werts. Der Partner ' +
    'bekommt eine gute Karte, eine umso bessere, je schwächer deine Hand ist; der stärkere Plan geht vor.',
  'give.number':
    'Er gibt dem Partner in {ace} % der Fälle ein Ass und in {special} % Drachen oder Phönix, Menschen in ' +
    '{acePeople} % und {specialPeople} %. In {low} % ist die Karte kleiner als zehn (Menschen: {lowPeople} %).',
  'wish.title': 'Wünsche dir die Karte, die du geschoben hast',
  'wish.text':
    'Der Nächste hat sie sicher, muss sie spielen, wenn er kann, und dein Partner verliert nichts. Wünsche dir ' +
    'nie, was dein Partner für eine Bombe oder für seine Ansage brauchen könnte.',
  'bomb.title': 'Eine Bombe ist Teil der Hand, kein Pokal',
  'bomb.text':
    'Heb sie für eine Ansage auf, die fallen muss, oder für den Stich, nach dem du fertig wirst. Aber vier ' +
    'Siebenen sind manchmal das, was deine Straßen trägt: Bist du ohne sie früher fertig, dann zerlege sie.',
  'bomb.number':
    'Er spielt in {breaks} % der Züge mit einer Bombe auf der Hand einen Teil davon, Menschen in {breaksPeople} %.',
  'call.title': 'Sage an, wenn du das Ende siehst',
  'call.text':
    'Tichu lohnt sich, wenn du die Folge deiner Züge kennst und zweimal ans Ausspiel kommst: genug Asse, Drache, ' +
    'Phönix, wenige lose Karten. Warte bis zum letzten Augenblick, aber nicht über deine erste Karte hinaus.',
  'call.number':
    'Sein Tichu gelingt in {tichuMade} % der Ansagen, das Große in {grandMade} %; das von Menschen in ' +
    '{tichuMadePeople} % und {grandMadePeople} %.',
  'score.title': 'Sieh auf den Stand, bevor du etwas wagst',
  'score.text':
    'Weit hinten kostet eine verfehlte Ansage wenig, was nicht schon verloren ist; weit vorn verschenkt sie, was ' +
    'du hast. Kurz vor dem Ziel muss wagen, wer hinten liegt, und beide wissen es.',
  'score.number':
    'Mit denselben ersten acht Karten sagt er bei 0 : 0 in {grandLevel} % der Fälle Großes Tichu an, bei 0 : 900 ' +
    'in {grandBehind} % und bei 900 : 0 in {grandAhead} %.',
  source: 'Woher die Zahlen stammen, steht mit den Befehlen dazu in docs/bots.md.',
};
export default de;
