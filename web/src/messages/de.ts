import type { Messages } from '../lib/i18n.svelte';

/** German. */
const de: Messages = {
  // The game's words
  'app.name': 'Tichu',
  'rank.1': 'Mah Jong', 'rank.2': 'Zwei', 'rank.3': 'Drei', 'rank.4': 'Vier', 'rank.5': 'Fünf', 'rank.6': 'Sechs', 'rank.7': 'Sieben',
  'rank.8': 'Acht', 'rank.9': 'Neun', 'rank.T': 'Zehn', 'rank.J': 'Bube', 'rank.Q': 'Dame', 'rank.K': 'König', 'rank.A': 'Ass',
  'ranks.2': 'Zweien', 'ranks.3': 'Dreien', 'ranks.4': 'Vieren', 'ranks.5': 'Fünfen', 'ranks.6': 'Sechsen', 'ranks.7': 'Siebenen',
  'ranks.8': 'Achten', 'ranks.9': 'Neunen', 'ranks.T': 'Zehnen', 'ranks.J': 'Buben', 'ranks.Q': 'Damen', 'ranks.K': 'Könige', 'ranks.A': 'Asse',
  'suit.s': 'Schwert', 'suit.b': 'Pagode', 'suit.g': 'Jade', 'suit.r': 'Stern',
  'card.Ma': 'Mah Jong', 'card.Do': 'Hund', 'card.Ph': 'Phönix', 'card.Dr': 'Drache', 'card.hidden': 'verdeckte Karte',
  'card.suited': '{suit} {rank}',
  'card.phoenix': 'Phönix als {rank}',
  'combo.SINGLE': '{rank}',
  'combo.SINGLE_PHOENIX': 'Phönix, knapp über {rank}',
  'combo.PAIR': 'Paar {ranks}',
  'combo.TRIPLE': 'drei {ranks}',
  'combo.FULL_HOUSE': 'Full House, {ranks} mit {with}',
  'combo.STRAIGHT': 'Straße aus {length} Karten bis {rank}',
  'combo.PAIR_STRAIGHT': 'Treppe aus {steps} Paaren bis {ranks}',
  'combo.TRIPLE_STRAIGHT': 'Treppe aus {steps} Drillingen bis {ranks}',
  'combo.FOUR_STRAIGHT': 'Treppe aus {steps} Vierlingen bis {ranks}',
  'combo.DOG': 'der Hund',
  'combo.BOMB4': 'Bombe: vier {ranks}',
  'combo.BOMB_STRAIGHT_FLUSH': 'Bombe: Straße in einer Farbe aus {length} Karten bis {rank}',
  'call.T': 'Tichu', 'call.G': 'Großes Tichu',

  // Places at the table
  'place.me': 'Du', 'place.left': 'Links', 'place.partner': 'Partner', 'place.right': 'Rechts',
  'place.turn': 'am Zug', 'place.deciding': 'überlegt', 'place.passed': 'passt', 'place.away': 'abwesend', 'place.bot': 'Bot',
  'place.free': 'freier Platz', 'place.guest': 'Gast', 'place.out': 'als {n}. fertig', 'place.cards': '{n} Karte|{n} Karten', 'place.points': '{n} Punkt|{n} Punkte',
  'place.summary': '{name}, {place}: {cards}', 'place.called': 'hat {call} angesagt',
  'clock.decision': 'noch {n} Sekunde Bedenkzeit|noch {n} Sekunden Bedenkzeit', 'clock.reserve': 'auf Reserve, noch {n} Sekunde|auf Reserve, noch {n} Sekunden', 'clock.word': 'Reserve',
  'clock.begins': 'Deine Reserve läuft: {n} Sekunde für den Rest der Partie|Deine Reserve läuft: {n} Sekunden für den Rest der Partie', 'clock.hurry': 'Noch {n} Sekunde|Noch {n} Sekunden',

  // Deciding
  'grand.title': 'Großes Tichu ansagen?',
  'grand.text': 'Du siehst acht Karten. Wirst du als Erster fertig, gibt es 200 Punkte, sonst verlierst du 200.',
  'grand.yes': 'Großes Tichu!', 'grand.no': 'Nein, weitergeben',
  'grand.waiting': 'Die anderen entscheiden noch über das Große Tichu …',
  'tichu.call': 'Tichu', 'tichu.title': 'Tichu ansagen?',
  'tichu.doubtful': 'Dein Partner hat schon angesagt, oder jemand ist bereits fertig. Trotzdem Tichu ansagen?',
  'tichu.sure': 'Wirst du als Erster fertig, gibt es 100 Punkte, sonst verlierst du 100. Ansagen geht bis zu deiner ersten Karte.',
  'exchange.title': 'Jedem eine Karte', 'exchange.text': 'Wähle für jeden Mitspieler eine Karte.',
  'exchange.give': 'Karten schieben', 'exchange.waiting': 'Die anderen wählen noch …',
  'exchange.place': 'Karte für {name} ({place})', 'exchange.empty': 'Karte wählen',
  'exchange.received': 'Du hast bekommen', 'exchange.from': 'von {name}', 'exchange.gave': 'Du hast gegeben',
  'exchange.ok': 'Danke',
  'play.play': '{what} spielen', 'play.stuck': 'Das kannst du nicht schlagen', 'play.choose': 'Karten wählen', 'play.pass': 'Passen', 'play.lead': 'Du spielst aus',
  'play.notYet': '{name} ist dran', 'play.bomb': 'Bombe', 'play.throw': '{what} werfen', 'play.bombAsk': 'Möchtest du bomben?',
  'play.noBomb': 'Keine Bombe', 'play.as': 'Phönix als', 'play.checking': 'Moment …',
  'play.suggestions': 'Was du spielen kannst', 'play.hint': 'Tipp', 'play.hinted': 'Ein Bot würde {what}. {why}',
  'play.autoPass': 'Passen bis', 'play.auto.off': 'Ich entscheide', 'play.auto.turn': 'Einmal passen', 'play.auto.trick': 'Diesen Stich passen',
  'play.wait': 'Warte!', 'play.waitText': 'Den Augenblick für eine Bombe offenhalten; alle sehen es', 'play.window': 'Jetzt darf jeder bomben',
  'play.sort': 'Sortieren', 'sort.rank': 'nach Wert', 'sort.suit': 'nach Farbe', 'sort.combination': 'nach Kombination',
  'hand.label': 'Deine Hand', 'hand.empty': 'Du bist fertig. Gut gemacht!',
  'wish.title': 'Dein Wunsch', 'wish.text': 'Wer eine Karte dieses Werts hat und spielen kann, muss sie spielen.', 'wish.none': 'Kein Wunsch',
  'wish.standing': 'Wunsch: {rank}',
  'gift.title': 'Dein Drache gewinnt den Stich', 'gift.text': 'Welchem Gegner gibst du ihn?', 'gift.to': 'An {name}',
  'table.points': 'Auf dem Tisch: {n} Punkt|Auf dem Tisch: {n} Punkte', 'table.empty': 'Der Tisch ist leer', 'table.lastTrick': 'Letzter Stich',
  'table.took': '{name} hat ihn genommen', 'table.noTrick': 'Noch wurde kein Stich genommen.',

  // What happened, for the eye and the ear
  'event.grand': '{name} sagt Großes Tichu an!', 'event.tichu': '{name} sagt Tichu an!', 'event.play': '{name}: {what}', 'event.pass': '{name} passt',
  'event.wish': '{name} wünscht sich: {rank}', 'event.noWish': '{name} wünscht sich nichts', 'event.take': '{name} nimmt den Stich',
  'event.gift': '{name} gibt den Stich an {to}', 'event.dealt': 'Runde {n}', 'event.turn': 'Du bist dran', 'event.out': '{name} ist fertig',
  'event.paused': 'Das Spiel ruht', 'event.resumed': 'Das Spiel geht weiter',
  'event.waited': '{name} bittet um einen Moment', 'event.lost': 'Verbindung verloren. Neuer Versuch …', 'event.back': 'Wieder verbunden',

  // Score
  'score.title': 'Punkte', 'score.us': 'Wir', 'score.them': 'Sie', 'score.round': 'Runde {n}',
  'score.double': 'Doppelsieg',
  'score.made': '{name}: {call} geschafft', 'score.missed': '{name}: {call} verfehlt', 'score.left': 'Noch auf der Hand',
  'round.title': 'Runde {n} ist vorbei', 'round.won': 'Eure Runde', 'round.lost': 'Ihre Runde', 'round.even': 'Gleichstand in dieser Runde', 'round.next': 'Nächste Runde',
  'round.extra': 'Gleichstand! Zusatzrunde beginnen', 'round.extraText': 'Eine Zusatzrunde entscheidet; beide werden zusammengezählt.', 'round.waiting': 'Warten auf die anderen …',
  'round.watch': 'Die nächste Runde beginnt gleich.',
  'match.won': 'Ihr habt gewonnen!', 'match.lost': 'Die anderen haben gewonnen.', 'match.team': '{names} haben gewonnen.', 'match.rematch': 'Revanche', 'match.replay': 'Das Spiel noch einmal ansehen',
  'match.home': 'Zur Startseite',

  // Lobby
  'lobby.title': 'Such dir einen Platz', 'lobby.sit': 'Hier sitzen', 'lobby.stand': 'Aufstehen', 'lobby.bot': 'Bot hierher', 'lobby.remove': 'Entfernen', 'lobby.start': 'Beginnen',
  'lobby.fill': 'Mit Bots auffüllen und beginnen', 'lobby.waitHost': '{name} beginnt das Spiel.', 'lobby.needFour': 'Es braucht vier Spieler.', 'lobby.invite': 'Einladen',
  'lobby.link': 'Link zu diesem Tisch', 'lobby.copy': 'Kopieren', 'lobby.copied': 'Kopiert', 'lobby.share': 'Teilen', 'lobby.code': 'Code', 'lobby.qr': 'QR-Code des Links',
  'lobby.team': 'Team', 'lobby.host': 'Gastgeber', 'lobby.swap': 'Hierher', 'lobby.exchange': 'Plätze tauschen', 'lobby.make': 'Stärke: {level}', 'lobby.noClock': 'ohne Uhr',
  'lobby.clockText': '{decision} s je Entscheidung, {reserve} s Reserve', 'lobby.watching': '{n} Person schaut zu|{n} Personen schauen zu', 'lobby.yourName': 'Dein Name',
  'lobby.level': 'Bot', 'lobby.missing': 'Diesen Tisch gibt es nicht.', 'lobby.connecting': 'Auf dem Weg zum Tisch …',
  'lobby.takeOver': 'Übernehmen', 'lobby.spectating': 'Du schaust zu', 'lobby.paused': 'Pause', 'lobby.resume': 'Weiter', 'lobby.pause': 'Pause', 'lobby.assist': 'Einen Bot entscheiden lassen',

  // Start
  'start.lead': 'Zwei Paare, sechsundfünfzig Karten und eine Ansage, die keiner vergisst.',
  'start.now': 'Sofort spielen', 'start.nowText': 'Du und drei Bots, ohne Fragen.', 'start.new': 'Neuer Tisch', 'start.newText': 'Mit Freunden, mit Bots, nach euren Regeln.',
  'start.join': 'Mitspielen', 'start.code': 'Code', 'start.tables': 'Offene Tische', 'start.yours': 'Deine Tische',
  'start.none': 'Im Augenblick gibt es keine offenen Tische.', 'start.seatsFree': '{n} Platz frei|{n} Plätze frei', 'start.watch': 'Zuschauen', 'start.back': 'Weiterspielen', 'start.learn': 'Tichu lernen',
  'start.rules': 'Regeln', 'start.games': 'Deine Spiele', 'start.badCode': 'Zu diesem Code gibt es keinen Tisch.', 'start.offline': 'Der Server ist nicht erreichbar.',
  'stats.title': 'Deine Ergebnisse', 'stats.games': 'Spiele', 'stats.won': 'Gewonnen', 'stats.first': 'Zuerst fertig', 'stats.double': 'Doppelsiege', 'stats.tichu': 'Tichu geschafft', 'stats.grand': 'Großes Tichu geschafft',
  'stats.of': '{part} von {whole}', 'stats.none': 'Noch nichts: lockere Spiele zählen nicht.',
  'new.title': 'Neuer Tisch', 'new.name': 'Name des Tisches', 'new.rules': 'Regeln', 'new.goal': 'Gespielt bis', 'new.goal.points': '{n} Punkte', 'new.goal.round': 'eine Runde',
  'new.bots': 'Bots', 'new.who': 'Wer spielt', 'new.friends': 'Auf Freunde warten', 'new.alone': 'Ich und drei Bots', 'new.partner': 'Ein Freund als Partner, zwei Bots', 'new.private': 'Nur mit Link oder Code',
  'new.casual': 'Locker: Tipps sind erlaubt, nichts zählt', 'new.clock': 'Uhr', 'new.pace': 'Tempo der Bots', 'new.pace.slow': 'ruhig', 'new.pace.normal': 'normal', 'new.pace.fast': 'flott',
  'new.open': 'Tisch öffnen', 'new.more': 'Alle Regeln', 'new.seconds': '{n} s je Entscheidung',
  'preset.standard': 'Standard', 'preset.classic': 'Klassisch', 'preset.courtesy': 'Höflich', 'preset.single-round': 'Eine Runde', 'preset.simple': 'Einfach', 'preset.brettspielwelt': 'BrettspielWelt',
  'field.direction': 'Richtung', 'field.goal': 'Ziel', 'field.grand': 'Großes Tichu', 'field.exchange': 'Schieben', 'field.calls': 'Ansagen', 'field.tichu_from': 'Tichu ab', 'field.wish': 'Wunsch',
  'field.phoenix_grants_wish': 'Phönix erfüllt den Wunsch', 'field.bombs': 'Bomben', 'field.equal_flush': 'Gleiche Straßenbomben', 'field.stairs': 'Treppen', 'field.dragon': 'Drache',
  'bot.easy': 'Leicht', 'bot.medium': 'Mittel', 'bot.hard': 'Schwer', 'bot.best': 'Der Beste',
  'value.yes': 'ja', 'value.no': 'nein', 'value.ccw': 'gegen den Uhrzeigersinn', 'value.cw': 'im Uhrzeigersinn', 'value.choice': 'die Spieler entscheiden', 'value.auto': 'der Tisch entscheidet', 'value.deal': 'dem Geben', 'value.play': 'dem ersten Ausspiel',
  'value.may': 'ist erlaubt', 'value.must': 'ist Pflicht', 'value.off': 'keine Wünsche', 'value.anytime': 'jederzeit', 'value.ordered': 'alle werden der Reihe nach gefragt', 'value.in-turn': 'nur am eigenen Zug', 'value.holds': 'die erste hält', 'value.suit': 'die Farbe entscheidet', 'value.pairs': 'aus Paaren', 'value.stacked': 'auch aus Drillingen und Vierlingen',
  'bot.random': 'Zufall', 'bot.greedy': 'Gierig', 'bot.heuristic': 'Erfahren', 'bot.learned': 'Selbst gelernt',

  // Around it
  'menu.title': 'Menü', 'menu.settings': 'Einstellungen', 'menu.leave': 'Tisch verlassen', 'menu.leaveText': 'Ein Bot spielt für dich weiter, bis du zurückkommst.', 'menu.chat': 'Chat', 'menu.last': 'Letzter Stich', 'menu.keys': 'Tasten',
  'deal.waiting': 'Es wird gemischt …', 'chat.mute': '{name} stummschalten', 'chat.unmute': '{name} wieder hören', 'menu.seat': 'Mein Platz auf einem anderen Gerät', 'seat.text': 'Dieser Link öffnet deinen Platz auf jedem Gerät. Er ist der Schlüssel zu deinem Platz: zeig ihn niemandem.',
  'chat.title': 'Chat', 'chat.say': 'Etwas sagen', 'chat.send': 'Senden', 'chat.empty': 'Noch hat niemand etwas gesagt.',
  'emote.hello': 'Hallo!', 'emote.well_played': 'Gut gespielt!', 'emote.thanks': 'Danke!', 'emote.sorry': 'Tut mir leid!', 'emote.wow': 'Oh!', 'emote.hurry': 'Lass dir Zeit … aber nicht zu viel', 'emote.laugh': 'Haha!', 'emote.goodbye': 'Bis bald!',
  'settings.title': 'Einstellungen', 'settings.name': 'Dein Name', 'settings.language': 'Sprache', 'settings.theme': 'Aussehen', 'theme.system': 'wie das System', 'theme.light': 'hell', 'theme.dark': 'dunkel', 'theme.contrast': 'hoher Kontrast',
  'settings.speed': 'Bewegung', 'speed.slow': 'langsam', 'speed.normal': 'normal', 'speed.fast': 'schnell', 'speed.none': 'keine', 'settings.sound': 'Töne', 'settings.vibration': 'Vibration', 'settings.smart': 'Passende Karten zusammen wählen', 'settings.chips': 'Zeigen, was spielbar ist',
  'dialog.close': 'Schließen', 'dialog.cancel': 'Abbrechen', 'page.notFound': 'Hier ist nichts.',
  'keys.arrows': 'zwischen den Karten wandern', 'keys.space': 'Karte wählen', 'keys.enter': 'Auswahl spielen', 'keys.p': 'passen', 'keys.t': 'Tichu ansagen', 'keys.b': 'bomben', 'keys.r': 'alle Karten des Werts', 'keys.f': 'die beste passende Kombination', 'keys.esc': 'Auswahl aufheben', 'keys.o': 'Sortierung wechseln', 'keys.h': 'Tipp', 'keys.m': 'Töne an oder aus', 'keys.l': 'letzter Stich', 'keys.s': 'Punkte', 'keys.help': 'diese Liste',

  // A hint
  'hint.pass': 'passen', 'hint.grand': 'Großes Tichu ansagen', 'hint.no_grand': 'kein Großes Tichu ansagen', 'hint.tichu': 'Tichu ansagen', 'hint.exchange': '{cards} schieben', 'hint.wish': 'sich {rank} wünschen', 'hint.no_wish': 'sich nichts wünschen', 'hint.take': 'den Stich an {name} geben', 'hint.play': '{what} spielen', 'hint.no_bomb': 'nicht bomben',

  // Why not
  'reason.NOT_IN_PHASE': 'Dafür ist jetzt nicht die Zeit', 'reason.NOT_YOUR_TURN': 'Du bist nicht dran', 'reason.BOMB_ASKED': 'Jemand anders darf zuerst bomben', 'reason.ROUND_OVER': 'Die Runde ist vorbei',
  'reason.NOT_IN_HAND': 'Diese Karten hast du nicht', 'reason.NO_COMBINATION': 'Diese Karten sind keine Kombination', 'reason.DOES_NOT_BEAT': 'Das schlägt den Tisch nicht', 'reason.LEAD_ONLY': 'Das kann man nur ausspielen', 'reason.MUST_LEAD': 'Wer ausspielt, darf nicht passen',
  'reason.NO_BOMB': 'Jetzt geht nur eine Bombe', 'reason.NOTHING_TO_BOMB': 'Es gibt nichts zu bomben', 'reason.WISH_OWED': 'Der Wunsch muss dabei sein: {rank}', 'reason.MUST_WISH': 'Nenne einen Wert', 'reason.NO_SUCH_RANK': 'Wünschen kann man Zwei bis Ass',
  'reason.PHOENIX_AMBIGUOUS': 'Sag, wofür der Phönix steht', 'reason.THREE_CARDS': 'Wähle drei verschiedene Karten', 'reason.ALREADY_CALLED': 'Du hast schon angesagt', 'reason.TOO_LATE_TO_CALL': 'Ansagen geht nur vor der ersten Karte', 'reason.TOO_EARLY_TO_CALL': 'Tichu kann man ab dem ersten Ausspiel ansagen',
  'reason.TABLE_DECIDES': 'Das entscheidet der Tisch', 'reason.CHOOSE_RECIPIENT': 'Wähle, wer den Drachenstich bekommt', 'reason.NOT_THE_RECIPIENT': 'Dorthin kann der Stich nicht gehen', 'reason.NOTHING_TO_GIVE': 'Nur der Drachenstich wird verschenkt',
  'reason.NOT_SEATED': 'Setz dich zuerst', 'reason.NOT_HOST': 'Das darf nur der Gastgeber', 'reason.SEAT_TAKEN': 'Dort sitzt schon jemand', 'reason.SEAT_FREE': 'Dort sitzt niemand', 'reason.NOT_NOW': 'So weit ist der Tisch nicht', 'reason.PAUSED': 'Das Spiel ruht',
  'reason.STALE': 'Der Stich hat sich inzwischen geändert', 'reason.BAD_CARD': 'Diese Karte gibt es nicht', 'reason.OVERBOMBED': 'Gleichzeitig fiel eine stärkere Bombe', 'reason.NO_WINDOW': 'Es gibt keinen Augenblick, der offenzuhalten wäre', 'reason.NO_WAITS_LEFT': 'Beide Wartezeiten dieser Runde sind verbraucht',
  'reason.PRESENT': 'Dieser Spieler ist da und entscheidet selbst', 'reason.NOTHING_TO_DECIDE': 'Dieser Platz hat nichts zu entscheiden', 'reason.NO_SUCH_BOT': 'Diesen Bot gibt es nicht', 'reason.KNOWS_CARDS': 'Du kennst andere Karten dieser Runde; warte auf die nächste', 'reason.CASUAL_ONLY': 'Das gibt es nur an lockeren Tischen', 'reason.TOO_FAST': 'Das war viel auf einmal; warte einen Moment', 'reason.EMPTY': 'Es gibt nichts zu sagen',

  // Why a bot does what it does
  'bot_reason.chosen': 'So macht es dieser Bot hier.', 'bot_reason.fallback': 'Der Bot hat versagt, der gierige hat entschieden.', 'bot_reason.forced': 'Etwas anderes ist nicht möglich.', 'bot_reason.call': 'Diese Hand wird in etwa {percent} % der Fälle zuerst fertig.',
  'bot_reason.no_call': 'Diese Karten werden nur in etwa {percent} % der Fälle zuerst fertig.', 'bot_reason.convention': 'Diese Karten fehlen der Hand am wenigsten, und der Partner bekommt die beste entbehrliche.', 'bot_reason.given_card': 'Der Nächste hat diesen Wert geschoben bekommen ({rank}) und muss ihn spielen.',
  'bot_reason.high_card': 'Das lockt eine hohe Karte heraus.', 'bot_reason.no_wish': 'Es gibt nichts, was einen Wunsch lohnt.', 'bot_reason.to_the_last': '{seat} wird am ehesten Letzter, und dann kommt der Stich zurück.', 'bot_reason.out': 'Das sind die letzten Karten.',
  'bot_reason.run': 'Nichts kann den Rest der Hand aufhalten.', 'bot_reason.shed': 'So geht eine Karte weg, die schwer loszuwerden ist.', 'bot_reason.control': 'Das gewinnt den Stich mit etwa {percent} %, und das Ausspiel ist es wert.', 'bot_reason.stop': '{seat} darf nicht ans Ausspiel kommen.',
  'bot_reason.support': '{seat} hat angesagt und geht vor.', 'bot_reason.partner_holds': '{seat} hält den Stich.', 'bot_reason.own_trick': 'Der Stich ist schon gewonnen.', 'bot_reason.hold_back': 'Die Karten, die gewinnen würden, sind später mehr wert.',
  'bot_reason.learned': 'Das spielt er in {percent} % solcher Fälle, erwartet {points} Punkte aus der Runde und ist mit {first} % als Erster fertig.',
};

export default de;
