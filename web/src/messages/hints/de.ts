import type en from './en';

/** Was ein Bot täte, und warum. */
const de: Readonly<Record<keyof typeof en, string>> = {
  text: 'Ein Bot würde {what}. {why}',
  'action.pass': 'passen',
  'action.grand': 'Großes Tichu ansagen',
  'action.no_grand': 'kein Großes Tichu ansagen',
  'action.tichu': 'Tichu ansagen',
  'action.exchange': '{cards} schieben',
  'action.wish': 'sich {rank} wünschen',
  'action.no_wish': 'sich nichts wünschen',
  'action.take': 'den Stich an {name} geben',
  'action.play': '{what} spielen',
  'action.no_bomb': 'nicht bomben',
  'reason.chosen': 'So macht es dieser Bot hier.',
  'reason.fallback': 'Der Bot hat versagt, der gierige hat entschieden.',
  'reason.forced': 'Etwas anderes ist nicht möglich.',
  'reason.call': 'Diese Hand wird in etwa {percent} % der Fälle zuerst fertig.',
  'reason.no_call': 'Diese Karten werden nur in etwa {percent} % der Fälle zuerst fertig.',
  'reason.convention': 'Diese Karten fehlen der Hand am wenigsten, und der Partner bekommt die beste entbehrliche.',
  'reason.given_card': 'Der Nächste hat diesen Wert geschoben bekommen ({rank}) und muss ihn spielen.',
  'reason.high_card': 'Das lockt eine hohe Karte heraus.',
  'reason.no_wish': 'Es gibt nichts, was einen Wunsch lohnt.',
  'reason.to_the_last': '{seat} wird am ehesten Letzter, und dann kommt der Stich zurück.',
  'reason.out': 'Das sind die letzten Karten.',
  'reason.run': 'Nichts kann den Rest der Hand aufhalten.',
  'reason.shed': 'So geht eine Karte weg, die schwer loszuwerden ist.',
  'reason.control': 'Das gewinnt den Stich mit etwa {percent} %, und das Ausspiel ist es wert.',
  'reason.stop': '{seat} darf nicht ans Ausspiel kommen.',
  'reason.support': '{seat} hat angesagt und geht vor.',
  'reason.partner_holds': '{seat} hält den Stich.',
  'reason.own_trick': 'Der Stich ist schon gewonnen.',
  'reason.hold_back': 'Die Karten, die gewinnen würden, sind später mehr wert.',
  'reason.learned':
    'Das spielt er in {percent} % solcher Fälle, erwartet {points} Punkte aus der Runde und ist mit {first} % ' +
    'als Erster fertig.',
};
export default de;
