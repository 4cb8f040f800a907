import type en from './en';

/** Die Regeln in Kürze. */
const de: Readonly<Record<keyof typeof en, string>> = {
  title: 'Die Regeln von Tichu',
  contents: 'Inhalt',
  lesson: 'Lieber ausprobieren als lesen? Zur Einführung.',
  'aim.title': 'Worum es geht',
  'aim.text':
    'Vier Leute spielen in zwei Teams; Partner sitzen sich gegenüber. Alle bekommen vierzehn Karten und wollen ' +
    'sie loswerden, am liebsten als Erste. Unterwegs bringen Stiche Punkte. Das Team, das zuerst 1000 Punkte ' +
    'hat, gewinnt.',
  'cards.title': 'Die Karten',
  'cards.text':
    'Es gibt vier Farben, Schwert, Pagode, Jade und Stern, jeweils von der 2 bis zum Ass, und vier Sonderkarten. ' +
    'Die Farbe ist nur für eines wichtig: eine Straße in einer Farbe ist eine Bombe.',
  'cards.points':
    'Nur wenige Karten zählen: Fünfen 5, Zehnen und Könige 10, der Drache 25, und der Phönix kostet 25. Zusammen ' +
    'sind das 100.',
  'combos.title': 'Was man spielen kann',
  'combos.text':
    'Wer ausspielt, wählt eines davon. Geschlagen wird es nur von derselben Art mit ebenso vielen Karten, aber ' +
    'höher.',
  single: 'eine einzelne Karte',
  pair: 'ein Paar',
  triple: 'ein Drilling',
  house: 'ein Full House: Drilling und Paar; der Drilling entscheidet',
  straight: 'eine Straße: fünf oder mehr in Folge',
  stairs: 'eine Treppe: zwei oder mehr Paare in Folge',
  'trick.title': 'Ein Stich',
  'trick.text':
    'Reihum legt jeder höher oder passt. Wer gepasst hat, darf wieder spielen, wenn er an die Reihe kommt. Haben ' +
    'alle anderen gepasst, nimmt der Letzte, der gespielt hat, den Stich und spielt aus.',
  'bombs.title': 'Bomben',
  'bombs.text':
    'Eine Bombe schlägt alles andere, und meist darf man sie jederzeit werfen, egal, wer am Zug ist. Unter ' +
    'Bomben schlägt der Straight Flush den Vierling, die längere die kürzere, dann die höhere die niedrigere. ' +
    'Ein leerer Tisch und der Hund lassen sich nicht bomben.',
  four: 'ein Vierling',
  flush: 'ein Straight Flush: fünf oder mehr einer Farbe in Folge',
  'special.title': 'Die vier Sonderkarten',
  'special.Ma':
    'Der Mah Jong ist die 1. Wer ihn hat, spielt zum ersten Stich aus, was immer er mag. Man spielt ihn allein ' +
    'aus oder als Anfang einer Straße. Wer ihn spielt, darf sich einen Wert von 2 bis Ass wünschen.',
  'special.wish':
    'Von da an muss jeder, der am Zug ist und diesen Wert spielen kann, ihn auch spielen, in irgendeiner ' +
    'erlaubten Kombination. Der Wunsch endet, wenn der Wert gespielt ist. Der Phönix ist nie die gewünschte ' +
    'Karte.',
  'special.Do':
    'Der Hund wird allein ausgespielt und schlägt nichts. Der Partner spielt als Nächster aus, oder, wenn er ' +
    'schon fertig ist, der Nächste nach ihm.',
  'special.Ph':
    'In einer Kombination steht der Phönix für jede Karte von 2 bis Ass, aber nie in einer Bombe. Allein ist er ' +
    'einen halben Wert höher als die Karte, auf die er gelegt wird; ausgespielt zählt er anderthalb. Den Drachen ' +
    'schlägt er nicht. Er kostet 25 Punkte.',
  'special.Dr':
    'Der Drache ist die höchste einzelne Karte und 25 Punkte wert; nur eine Bombe schlägt ihn. Gewinnt er den ' +
    'Stich, bekommt ein Gegner den ganzen Stich, und wer den Drachen gespielt hat, spielt trotzdem aus.',
  'round.title': 'Eine Runde',
  'round.deal': 'Alle bekommen zuerst acht Karten und dürfen großes Tichu ansagen. Dann kommen die übrigen sechs.',
  'round.exchange': 'Tausch: jeder gibt jedem anderen eine Karte, verdeckt und gleichzeitig.',
  'round.lead': 'Wer den Mah Jong hat, spielt aus.',
  'round.end':
    'Wer keine Karten mehr hat, ist fertig. Die Runde endet, wenn drei fertig sind, oder sofort, wenn zwei ' +
    'Partner die ersten beiden sind.',
  'calls.title': 'Tichu und großes Tichu',
  'calls.text':
    'Beides heißt: Ich werde als Erster fertig. Tichu kann man bis zu seiner ersten Karte ansagen, für 100 ' +
    'Punkte; großes Tichu nur mit den ersten acht Karten, für 200. Wer es schafft, bringt sie seinem Team, sonst ' +
    'verliert es sie. Dass der Partner Erster wird, hilft nicht.',
  'score.title': 'Wertung',
  'score.double': 'Beide Partner als Erste fertig: 200 Punkte, und die Karten werden nicht gezählt.',
  'score.last': 'Sonst gibt der Letzte seine Handkarten dem anderen Team und seine Stiche dem, der zuerst fertig war.',
  'score.count': 'Dann zählt jedes Team seine Stiche: zusammen immer 100 Punkte. Ansagen kommen dazu oder gehen ab.',
  'score.match': 'Die Runden werden zusammengezählt, bis ein Team 1000 Punkte hat.',
  'variants.title': 'Regelsätze',
  'variants.text':
    'Tichu wird verschieden gespielt. Wähle einen Regelsatz und sieh, was er sagt; ein Zeichen zeigt, was anders ' +
    'ist als bei „Standard“. Jede Antwort lässt sich ändern, wenn du einen Tisch eröffnest.',
  'variants.differs': 'anders als Standard',
  rule: 'Regel',
  value: 'Antwort',
  meaning: 'Worum es geht',
  points: '{n} Punkte',
  oneRound: 'eine Runde',
  'about.standard': 'Das ganze Spiel, wie die meisten es kennen.',
  'about.classic': 'Die alten Tischregeln: der Mah Jong muss sich etwas wünschen.',
  'about.courtesy': 'Bomben in höflicher Reihenfolge, und Treppen aus Drillingen und Vierlingen.',
  'about.single-round': 'Eine Runde entscheidet, und Bomben warten, bis man am Zug ist.',
  'about.simple': 'Kein Tausch, kein Wunsch, und der Tisch sagt an.',
  'about.brettspielwelt': 'Wie auf der alten Spieleseite: im Uhrzeigersinn.',
  'field.direction': 'In welche Richtung es um den Tisch geht.',
  'field.goal': 'Wann das Spiel gewonnen ist. Endet eine einzelne Runde unentschieden, folgt noch eine.',
  'field.grand': 'Ob man großes Tichu ansagen kann.',
  'field.exchange': 'Ob vor dem Spiel getauscht wird.',
  'field.calls': 'Wer Tichu ansagt: die Spieler, oder der Tisch bei starken Händen.',
  'field.tichu_from': 'Ab wann man Tichu ansagen kann.',
  'field.wish': 'Ob der Mah Jong sich etwas wünschen darf oder muss.',
  'field.phoenix_grants_wish': 'Ob ein Phönix, der für den gewünschten Wert steht, als dieser gilt.',
  'field.bombs': 'Wann man eine Bombe werfen darf.',
  'field.equal_flush': 'Was gilt, wenn zwei Straight Flushes gleich lang und gleich hoch sind.',
  'field.stairs': 'Ob auch Drillinge und Vierlinge in Folge gespielt werden können.',
  'field.dragon': 'Wer entscheidet, welcher Gegner den Drachenstich bekommt.',
};
export default de;
