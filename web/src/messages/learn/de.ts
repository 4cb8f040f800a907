import type en from './en';

/** Die Einführung. */
const de: Readonly<Record<keyof typeof en, string>> = {
  title: 'Tichu lernen',
  step: 'Schritt {at} von {all}',
  last: 'Der letzte Schritt',
  task: 'Du bist dran',
  done: 'Geschafft',
  miss: 'Nicht ganz',
  next: 'Weiter',
  back: 'Zurück',
  again: 'Noch einmal',
  skip: 'Überspringen',
  leave: 'Einführung beenden',
  coach: 'Einführung',
  laying: 'Die Karten werden gelegt …',
  failed: 'Der Tisch kann nicht gedeckt werden: {why}',
  suits: 'Vier Farben, von der 2 bis zum Ass. Die Münze zeigt, was eine Karte zählt.',
  pair: 'Paar',
  triple: 'Drilling',
  house: 'Full House',
  straight: 'Straße',
  stairs: 'Treppe',
  four: 'Vierling',
  flush: 'Straße in einer Farbe',

  'beat.title': 'Werde deine Karten los',
  'beat.text':
    'Vier Leute, zwei Teams: dein Partner sitzt gegenüber. Ziel ist, vor den anderen keine Karten mehr zu haben. ' +
    'Einer spielt aus; alle anderen legen höher oder passen.',
  'beat.task': '{left} hat eine Sechs ausgespielt. Tippe eine höhere Karte an und spiel sie.',
  'beat.done':
    'Alle haben gepasst: der Stich gehört dir, und du spielst als Nächster aus. In den Stichen liegen die ' +
    'Punkte: Fünfen zählen 5, Zehnen und Könige 10.',
  'beat.miss': 'Passen ist erlaubt, aber hier kannst du den Stich gewinnen. Versuch es noch einmal.',
  'combos.title': 'Zusammen geht es schneller',
  'combos.text':
    'Wer ausspielt, darf eines davon wählen. Die anderen müssen mit derselben Art und ebenso vielen Karten ' +
    'antworten, nur höher.',
  'combos.task':
    'Du spielst aus. Tippe Karten an, die zusammengehören; der Knopf sagt, was sie sind. Spiel zwei oder mehr ' +
    'auf einmal.',
  'combos.done': 'Schön! Das schlägt nur dieselbe Art, gleich lang und höher.',
  'combos.miss': 'Eine einzelne Karte geht auch, aber in dieser Hand steckt mehr. Versuch es noch einmal.',
  'pass.title': 'Auch Passen ist Spielen',
  'pass.text':
    'Du musst nie eine Karte schlagen. Wer jetzt passt, darf im selben Stich später wieder einsteigen. Und die ' +
    'Punkte deines Partners sind deine Punkte.',
  'pass.task': '{partner} gewinnt gerade mit einem König. Du hast ein Ass. Behalte es und passe.',
  'pass.done': 'Genau richtig: {partner} bekommt den Stich, und du hast dein Ass noch.',
  'pass.miss': 'Du hast deinen eigenen Partner geschlagen. Das passiert jedem einmal! Versuch es noch einmal.',
  'bomb.title': 'Bomben',
  'bomb.text':
    'Diese beiden sind Bomben. Eine Bombe schlägt alles außer einer größeren Bombe, und sie muss nicht warten, ' +
    'bis sie an der Reihe ist.',
  'bomb.task': '{right} hat ein Paar Asse gespielt. Wirf deine vier Siebenen!',
  'bomb.done': 'Bumm. Niemand konnte die Asse schlagen, du schon.',
  'bomb.miss': 'Die Asse sind entkommen. Versuch es noch einmal: der Knopf „Bombe“ ist da, sobald du eine hast.',
  'wish.title': 'Der Mah Jong wünscht sich etwas',
  'wish.text':
    'Vier Karten sind besonders. Der Mah Jong ist die 1, und wer ihn hat, spielt zuerst aus. Wer ihn spielt, ' +
    'darf sich einen Wert wünschen: wer ihn spielen kann, muss.',
  'wish.task': 'Du weißt, dass {right} ein Ass hat. Spiel den Mah Jong und wünsch dir ein Ass.',
  'wish.done': 'Da ist es! Ein Wunsch gilt, bis jemand ihn erfüllt.',
  'wish.miss': 'Versuch es noch einmal: spiel den Mah Jong allein, dann wähle das Ass.',
  'phoenix.title': 'Der Phönix hilft aus',
  'phoenix.text':
    'In einer Kombination steht der Phönix für jede Karte, die dir fehlt, nur nie in einer Bombe. Allein ist er ' +
    'ein klein wenig höher als die Karte vor ihm, sogar als ein Ass. Wer ihn sticht, verliert allerdings 25 ' +
    'Punkte.',
  'phoenix.task': '{left} hat ein Paar Zehnen gespielt. Deine Dame ist allein: gib ihr den Phönix.',
  'phoenix.done': 'Ein Paar Damen! Die Zahl auf dem Phönix zeigt, wofür er steht.',
  'phoenix.miss': 'Versuch es noch einmal: tippe die Dame an. Wenn der Phönix nicht mitkommt, tippe auch ihn an.',
  'dragon.title': 'Der Drache nimmt und gibt',
  'dragon.text':
    'Der Drache ist die höchste einzelne Karte und zählt 25 Punkte. Nur eine Bombe schlägt ihn. Aber den Stich, ' +
    'den er gewinnt, bekommt ein Gegner, und du wählst, welcher.',
  'dragon.task': '{left} hat ein Ass gespielt. Spiel den Drachen und verschenke dann den Stich.',
  'dragon.done': 'Die Punkte sind weg, aber du spielst als Nächster aus, und das ist oft mehr wert.',
  'dragon.miss': 'Versuch es noch einmal: spiel den Drachen.',
  'dog.title': 'Der Hund läuft zum Partner',
  'dog.text':
    'Der Hund schlägt nichts und gewinnt nichts. Du spielst ihn aus, und dein Partner ist als Nächster am Zug.',
  'dog.task': '{partner} hat Tichu angesagt und muss zuerst fertig sein. Hilf: spiel den Hund aus.',
  'dog.done': 'Braver Hund! Jetzt spielt {partner} aus.',
  'dog.miss': 'Versuch es noch einmal: spiel den Hund aus.',
  'exchange.title': 'Drei Geschenke',
  'exchange.text':
    'So beginnt jede Runde: alle geben jedem anderen verdeckt eine Karte. Niedrige nach links und rechts, eine ' +
    'gute dem Partner. Lass beisammen, was zusammengehört.',
  'exchange.task': 'Tippe drei Karten an, für {left}, {partner} und {right}, und gib sie ab.',
  'exchange.done': 'Auch du hast drei Karten bekommen. Wer jetzt den Mah Jong hat, spielt aus.',
  'exchange.miss': 'Versuch es noch einmal.',
  'calls.title': 'Tichu!',
  'calls.text':
    'Ist deine Hand stark? Bis zu deiner ersten Karte darfst du Tichu ansagen: als Erster fertig bringt 100 ' +
    'Punkte, alles andere kostet 100. Großes Tichu geht um 200 und wird mit den ersten acht Karten angesagt.',
  'calls.task': 'Was für eine Hand. Drück auf Tichu und sag es an!',
  'calls.done':
    'Mutig! Eine Runde endet, wenn drei fertig sind; dann werden die Stiche gezählt, zusammen 100 Punkte. Sind ' +
    'zwei Partner als Erste fertig, bekommen sie sofort 200. Gespielt wird bis 1000.',
  'calls.miss': 'Eine Karte ist gespielt, jetzt ist es für die Ansage zu spät. Versuch es noch einmal.',
  'round.title': 'Jetzt eine echte Runde',
  'round.text':
    'Du weißt alles, was du brauchst. Hier ist eine ganze Runde mit drei Bots. Der Knopf „Tipp“ sagt, was ein ' +
    'Bot täte und warum.',
  'round.done': 'Deine erste Runde!',
  'round.score': 'Euer Team {ours}, die anderen {theirs}.',
  'round.end': 'Du kannst jetzt Tichu spielen. Viel Spaß!',
  'round.now': 'Noch eine Runde',
  'round.watch': 'Noch einmal ansehen',
  'round.rules': 'Die Regeln lesen',
  'tip.grand': 'Acht Karten und eine Frage: großes Tichu? Im Zweifel nein.',
  'tip.exchange': 'Wähle deine Geschenke: niedrige Karten zur Seite, eine gute dem Partner.',
  'tip.lead': 'Du spielst aus. Niedrige Karten und lange Kombinationen zuerst.',
  'tip.follow': 'Schlag es, wenn das wenig kostet, oder passe.',
  'tip.wish': 'Wünsch dir eine Karte, die dir hilft. Nichts ist auch in Ordnung.',
  'tip.gift': 'Gib den Stich dem Gegner, der langsamer aussieht.',
  'tip.wait': 'Die anderen überlegen. Schau, was sie spielen.',
  'tip.out': 'Du bist fertig. Sieh zu, wie es ausgeht!',
};
export default de;
