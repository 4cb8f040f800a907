import type { Messages } from '../lib/i18n.svelte';

/** Korean. */
const ko: Messages = {
  // The game's words
  'app.name': '티츄',
  'rank.1': '마작', 'rank.2': '2', 'rank.3': '3', 'rank.4': '4', 'rank.5': '5', 'rank.6': '6', 'rank.7': '7',
  'rank.8': '8', 'rank.9': '9', 'rank.T': '10', 'rank.J': 'J', 'rank.Q': 'Q', 'rank.K': 'K', 'rank.A': 'A',
  'ranks.2': '2', 'ranks.3': '3', 'ranks.4': '4', 'ranks.5': '5', 'ranks.6': '6', 'ranks.7': '7',
  'ranks.8': '8', 'ranks.9': '9', 'ranks.T': '10', 'ranks.J': 'J', 'ranks.Q': 'Q', 'ranks.K': 'K', 'ranks.A': 'A',
  'suit.s': '검', 'suit.b': '탑', 'suit.g': '옥', 'suit.r': '별',
  'card.Ma': '마작', 'card.Do': '개', 'card.Ph': '봉황', 'card.Dr': '용', 'card.hidden': '뒤집힌 카드',
  'card.suited': '{suit} {rank}',
  'card.phoenix': '봉황 ({rank} 대신)',
  'combo.SINGLE': '{rank}',
  'combo.SINGLE_PHOENIX': '봉황 ({rank} 바로 위)',
  'combo.PAIR': '{ranks} 페어',
  'combo.TRIPLE': '{ranks} 트리플',
  'combo.FULL_HOUSE': '풀하우스, {ranks} 셋과 {with} 둘',
  'combo.STRAIGHT': '스트레이트 {length}장, {rank}까지',
  'combo.PAIR_STRAIGHT': '연속 페어 {steps}쌍, {ranks}까지',
  'combo.TRIPLE_STRAIGHT': '연속 트리플 {steps}벌, {ranks}까지',
  'combo.FOUR_STRAIGHT': '연속 포카드 {steps}벌, {ranks}까지',
  'combo.DOG': '개',
  'combo.BOMB4': '폭탄: {ranks} 네 장',
  'combo.BOMB_STRAIGHT_FLUSH': '폭탄: 스트레이트 플러시 {length}장, {rank}까지',
  'call.T': '티츄', 'call.G': '그랜드 티츄',

  // Places at the table
  'place.me': '나', 'place.left': '왼쪽', 'place.partner': '파트너', 'place.right': '오른쪽',
  'place.turn': '차례', 'place.deciding': '고르는 중', 'place.passed': '패스', 'place.away': '자리 비움', 'place.bot': '봇',
  'place.free': '빈자리', 'place.guest': '손님', 'place.out': '{n}등으로 나감', 'place.cards': '카드 {n}장', 'place.points': '{n}점',
  'place.summary': '{name}, {place}: {cards}', 'place.called': '{call} 선언함',
  'clock.decision': '결정까지 {n}초', 'clock.reserve': '예비 시간 사용 중, {n}초 남음', 'clock.word': '예비 시간',
  'clock.begins': '예비 시간이 흐릅니다: 남은 게임 동안 {n}초', 'clock.hurry': '{n}초 남음',

  // Deciding
  'grand.title': '그랜드 티츄를 선언할까요?',
  'grand.text': '카드 여덟 장을 보았습니다. 가장 먼저 나가면 200점을 얻고, 아니면 200점을 잃습니다.',
  'grand.yes': '그랜드 티츄!', 'grand.no': '아니요, 계속 받기',
  'grand.waiting': '다른 사람들이 그랜드 티츄를 결정하고 있습니다 …',
  'tichu.call': '티츄', 'tichu.title': '티츄를 선언할까요?',
  'tichu.doubtful': '파트너가 이미 선언했거나 누군가 먼저 나갔습니다. 그래도 티츄를 선언할까요?',
  'tichu.sure': '가장 먼저 나가면 100점을 얻고, 아니면 100점을 잃습니다. 첫 카드를 내기 전까지 선언할 수 있습니다.',
  'exchange.title': '한 장씩 나누기', 'exchange.text': '다른 세 사람에게 줄 카드를 고르세요.',
  'exchange.give': '카드 주기', 'exchange.waiting': '다른 사람들이 고르고 있습니다 …',
  'exchange.place': '{name}({place})에게 줄 카드', 'exchange.empty': '카드를 고르세요',
  'exchange.received': '받은 카드', 'exchange.from': '{name}에게서', 'exchange.gave': '준 카드',
  'exchange.ok': '고마워요',
  'play.play': '{what} 내기', 'play.stuck': '이길 수 있는 카드가 없습니다', 'play.choose': '카드를 고르세요', 'play.pass': '패스', 'play.lead': '먼저 내세요',
  'play.notYet': '{name} 차례입니다', 'play.bomb': '폭탄', 'play.throw': '{what} 던지기', 'play.bombAsk': '폭탄을 던질까요?',
  'play.noBomb': '폭탄 안 냄', 'play.as': '봉황은', 'play.checking': '잠시만요 …',
  'play.suggestions': '낼 수 있는 카드', 'play.hint': '힌트', 'play.hinted': '봇이라면: {what}. {why}',
  'play.autoPass': '자동 패스', 'play.auto.off': '직접 결정', 'play.auto.turn': '한 번 패스', 'play.auto.trick': '이번 트릭 패스',
  'play.wait': '잠깐!', 'play.waitText': '폭탄 낼 시간을 늘립니다. 모두가 볼 수 있습니다', 'play.window': '지금은 누구나 폭탄을 낼 수 있습니다',
  'play.sort': '정렬', 'sort.rank': '숫자순', 'sort.suit': '무늬순', 'sort.combination': '조합순',
  'hand.label': '내 손패', 'hand.empty': '모두 냈습니다. 잘했어요!',
  'wish.title': '소원', 'wish.text': '이 숫자를 가지고 있고 낼 수 있는 사람은 반드시 내야 합니다.', 'wish.none': '선택 안 함',
  'wish.standing': '소원: {rank}',
  'gift.title': '용으로 트릭을 이겼습니다', 'gift.text': '어느 상대에게 줄까요?', 'gift.to': '{name}에게',
  'table.points': '테이블 위 {n}점', 'table.empty': '빈 테이블', 'table.lastTrick': '지난 트릭',
  'table.took': '{name} 님이 가져갔습니다', 'table.noTrick': '아직 끝난 트릭이 없습니다.',

  // What happened, for the eye and the ear
  'event.grand': '{name}: 그랜드 티츄!', 'event.tichu': '{name}: 티츄!', 'event.play': '{name}: {what}', 'event.pass': '{name}: 패스',
  'event.wish': '{name}의 소원: {rank}', 'event.noWish': '{name}: 소원 없음', 'event.take': '{name} 님이 트릭을 가져갑니다',
  'event.gift': '{name} 님이 트릭을 {to} 님에게 줍니다', 'event.dealt': '{n}라운드', 'event.turn': '내 차례입니다', 'event.out': '{name} 님이 나갔습니다',
  'event.paused': '게임이 멈췄습니다', 'event.resumed': '게임을 계속합니다',
  'event.waited': '{name} 님이 잠시 기다려 달라고 합니다', 'event.lost': '연결이 끊겼습니다. 다시 연결하는 중 …', 'event.back': '다시 연결되었습니다',

  // Score
  'score.title': '점수', 'score.us': '우리', 'score.them': '상대', 'score.round': '{n}라운드',
  'score.double': '더블 승리',
  'score.made': '{name}: {call} 성공', 'score.missed': '{name}: {call} 실패', 'score.left': '남은 손패',
  'round.title': '{n}라운드가 끝났습니다', 'round.won': '우리가 이긴 라운드', 'round.lost': '상대가 이긴 라운드', 'round.even': '비긴 라운드', 'round.next': '다음 라운드',
  'round.extra': '동점! 추가 라운드 시작', 'round.extraText': '추가 라운드로 승부를 가립니다. 두 라운드의 점수를 합산합니다.', 'round.waiting': '다른 사람들을 기다리는 중 …',
  'round.watch': '곧 다음 라운드가 시작됩니다.',
  'match.won': '이겼습니다!', 'match.lost': '상대 팀이 이겼습니다.', 'match.team': '{names} 팀이 이겼습니다.', 'match.rematch': '다시 하기', 'match.replay': '게임 다시 보기',
  'match.home': '처음으로',

  // Lobby
  'lobby.title': '자리를 고르세요', 'lobby.sit': '여기 앉기', 'lobby.stand': '일어나기', 'lobby.bot': '봇 앉히기', 'lobby.remove': '내보내기', 'lobby.start': '시작',
  'lobby.fill': '봇으로 채우고 시작', 'lobby.waitHost': '{name} 님이 게임을 시작합니다.', 'lobby.needFour': '네 명이 필요합니다.', 'lobby.invite': '초대',
  'lobby.link': '이 테이블의 링크', 'lobby.copy': '복사', 'lobby.copied': '복사했습니다', 'lobby.share': '공유', 'lobby.code': '코드', 'lobby.qr': '링크의 QR 코드',
  'lobby.team': '팀', 'lobby.host': '방장', 'lobby.swap': '이리로 옮기기', 'lobby.exchange': '자리 바꾸기', 'lobby.make': '{level}(으)로 바꾸기', 'lobby.noClock': '시계 없음',
  'lobby.clockText': '결정마다 {decision}초, 예비 {reserve}초', 'lobby.watching': '{n}명이 보고 있습니다', 'lobby.yourName': '내 이름',
  'lobby.level': '봇', 'lobby.missing': '그런 테이블은 없습니다.', 'lobby.connecting': '테이블로 가는 중 …',
  'lobby.takeOver': '이어받기', 'lobby.spectating': '관전 중입니다', 'lobby.paused': '일시 정지', 'lobby.resume': '계속', 'lobby.pause': '일시 정지', 'lobby.assist': '봇에게 맡기기',

  // Start
  'start.lead': '두 팀, 쉰여섯 장, 그리고 잊지 못할 한마디.',
  'start.now': '바로 시작', 'start.nowText': '나와 봇 셋, 묻지 않고 시작합니다.', 'start.new': '새 테이블', 'start.newText': '친구와, 봇과, 원하는 규칙으로.',
  'start.join': '참가', 'start.code': '코드', 'start.tables': '열린 테이블', 'start.yours': '내 테이블',
  'start.none': '지금은 열린 테이블이 없습니다.', 'start.seatsFree': '빈자리 {n}', 'start.watch': '관전', 'start.back': '이어서 하기', 'start.learn': '티츄 배우기',
  'start.rules': '규칙', 'start.games': '내 게임', 'start.badCode': '이 코드의 테이블이 없습니다.', 'start.offline': '서버에 연결할 수 없습니다.',
  'stats.title': '내 기록', 'stats.games': '게임', 'stats.won': '승리', 'stats.first': '1등', 'stats.double': '더블 승리', 'stats.tichu': '티츄 성공', 'stats.grand': '그랜드 티츄 성공',
  'stats.of': '{whole} 중 {part}', 'stats.none': '아직 없습니다. 가벼운 게임은 기록되지 않습니다.',
  'new.title': '새 테이블', 'new.name': '테이블 이름', 'new.rules': '규칙', 'new.goal': '목표', 'new.goal.points': '{n}점', 'new.goal.round': '단판',
  'new.bots': '봇', 'new.who': '누구와', 'new.friends': '친구를 기다리기', 'new.alone': '나와 봇 셋', 'new.partner': '친구는 파트너, 봇은 상대', 'new.private': '링크나 코드로만',
  'new.casual': '가벼운 게임: 힌트를 쓸 수 있고 기록되지 않음', 'new.clock': '시계', 'new.pace': '봇의 속도', 'new.pace.slow': '느긋하게', 'new.pace.normal': '보통', 'new.pace.fast': '빠르게',
  'new.open': '테이블 열기', 'new.more': '모든 규칙', 'new.seconds': '결정마다 {n}초',
  'preset.standard': '표준', 'preset.classic': '클래식', 'preset.courtesy': '예의', 'preset.single-round': '단판', 'preset.simple': '간단', 'preset.brettspielwelt': 'BrettspielWelt',
  'field.direction': '방향', 'field.goal': '목표', 'field.grand': '그랜드 티츄', 'field.exchange': '교환', 'field.calls': '선언', 'field.tichu_from': '티츄 선언 시작', 'field.wish': '소원',
  'field.phoenix_grants_wish': '봉황이 소원을 이룸', 'field.bombs': '폭탄', 'field.equal_flush': '같은 스트레이트 플러시', 'field.stairs': '연속 페어', 'field.dragon': '용',
  'bot.easy': '쉬움', 'bot.medium': '보통', 'bot.hard': '어려움', 'bot.best': '최강',
  'value.yes': '예', 'value.no': '아니요', 'value.ccw': '반시계 방향', 'value.cw': '시계 방향', 'value.choice': '플레이어가 결정', 'value.auto': '자동', 'value.deal': '카드를 받은 뒤', 'value.play': '첫 리드부터',
  'value.may': '선택', 'value.must': '필수', 'value.off': '없음', 'value.anytime': '언제나', 'value.ordered': '차례로 물음', 'value.in-turn': '내 차례에만', 'value.holds': '먼저 낸 쪽', 'value.suit': '무늬로 결정', 'value.pairs': '페어만', 'value.stacked': '트리플과 포카드도',
  'bot.random': '무작위', 'bot.greedy': '욕심쟁이', 'bot.heuristic': '노련함', 'bot.learned': '독학',

  // Around it
  'menu.title': '메뉴', 'menu.settings': '설정', 'menu.leave': '테이블 나가기', 'menu.leaveText': '돌아올 때까지 봇이 대신 둡니다.', 'menu.chat': '대화', 'menu.last': '지난 트릭', 'menu.keys': '단축키',
  'deal.waiting': '카드를 섞는 중 …', 'chat.mute': '{name} 님 말 숨기기', 'chat.unmute': '{name} 님 말 다시 보기', 'menu.seat': '다른 기기에서 내 자리 열기', 'seat.text': '이 링크로 어느 기기에서나 내 자리를 열 수 있습니다. 내 자리의 열쇠이니 아무에게도 보여 주지 마세요.',
  'chat.title': '대화', 'chat.say': '한마디 하기', 'chat.send': '보내기', 'chat.empty': '아직 아무도 말하지 않았습니다.',
  'emote.hello': '안녕하세요!', 'emote.well_played': '잘했어요!', 'emote.thanks': '고마워요!', 'emote.sorry': '미안해요!', 'emote.wow': '와!', 'emote.hurry': '천천히 … 하지만 너무 천천히는 말고요', 'emote.laugh': '하하!', 'emote.goodbye': '안녕히 가세요!',
  'settings.title': '설정', 'settings.name': '내 이름', 'settings.language': '언어', 'settings.theme': '화면', 'theme.system': '시스템 설정', 'theme.light': '밝게', 'theme.dark': '어둡게', 'theme.contrast': '고대비',
  'settings.speed': '움직임', 'speed.slow': '느리게', 'speed.normal': '보통', 'speed.fast': '빠르게', 'speed.none': '없음', 'settings.sound': '소리', 'settings.vibration': '진동', 'settings.smart': '어울리는 카드를 함께 선택', 'settings.chips': '낼 수 있는 카드 보여 주기',
  'dialog.close': '닫기', 'dialog.cancel': '취소', 'page.notFound': '여기에는 아무것도 없습니다.',
  'keys.arrows': '카드 사이 이동', 'keys.space': '카드 선택', 'keys.enter': '선택한 카드 내기', 'keys.p': '패스', 'keys.t': '티츄 선언', 'keys.b': '폭탄', 'keys.r': '같은 숫자 모두', 'keys.f': '가장 알맞은 조합', 'keys.esc': '선택 취소', 'keys.o': '정렬 바꾸기', 'keys.h': '힌트', 'keys.m': '소리 켜기/끄기', 'keys.l': '지난 트릭', 'keys.s': '점수', 'keys.help': '이 목록',

  // A hint
  'hint.pass': '패스', 'hint.grand': '그랜드 티츄 선언', 'hint.no_grand': '그랜드 티츄 선언 안 함', 'hint.tichu': '티츄 선언', 'hint.exchange': '{cards} 주기', 'hint.wish': '소원 {rank}', 'hint.no_wish': '소원 없음', 'hint.take': '트릭을 {name} 님에게', 'hint.play': '{what} 내기', 'hint.no_bomb': '폭탄 안 냄',

  // Why not
  'reason.NOT_IN_PHASE': '지금은 할 수 없습니다', 'reason.NOT_YOUR_TURN': '내 차례가 아닙니다', 'reason.BOMB_ASKED': '다른 사람이 먼저 폭탄을 낼 수 있습니다', 'reason.ROUND_OVER': '라운드가 끝났습니다',
  'reason.NOT_IN_HAND': '손에 없는 카드입니다', 'reason.NO_COMBINATION': '조합이 아닙니다', 'reason.DOES_NOT_BEAT': '테이블의 카드를 이기지 못합니다', 'reason.LEAD_ONLY': '리드로만 낼 수 있습니다', 'reason.MUST_LEAD': '리드할 때는 패스할 수 없습니다',
  'reason.NO_BOMB': '지금은 폭탄만 낼 수 있습니다', 'reason.NOTHING_TO_BOMB': '폭탄을 낼 대상이 없습니다', 'reason.WISH_OWED': '소원 {rank}이(가) 들어 있어야 합니다', 'reason.MUST_WISH': '숫자를 하나 고르세요', 'reason.NO_SUCH_RANK': '소원은 2부터 A까지입니다',
  'reason.PHOENIX_AMBIGUOUS': '봉황이 무엇을 대신하는지 고르세요', 'reason.THREE_CARDS': '서로 다른 카드 세 장을 고르세요', 'reason.ALREADY_CALLED': '이미 선언했습니다', 'reason.TOO_LATE_TO_CALL': '첫 카드를 내기 전에만 선언할 수 있습니다', 'reason.TOO_EARLY_TO_CALL': '티츄는 첫 리드부터 선언할 수 있습니다',
  'reason.TABLE_DECIDES': '자동으로 결정됩니다', 'reason.CHOOSE_RECIPIENT': '용 트릭을 받을 상대를 고르세요', 'reason.NOT_THE_RECIPIENT': '그 자리에는 줄 수 없습니다', 'reason.NOTHING_TO_GIVE': '용 트릭만 줄 수 있습니다',
  'reason.NOT_SEATED': '먼저 자리에 앉으세요', 'reason.NOT_HOST': '방장만 할 수 있습니다', 'reason.SEAT_TAKEN': '누가 앉아 있습니다', 'reason.SEAT_FREE': '아무도 앉아 있지 않습니다', 'reason.NOT_NOW': '지금은 그럴 때가 아닙니다', 'reason.PAUSED': '게임이 멈춰 있습니다',
  'reason.STALE': '그사이 트릭이 바뀌었습니다', 'reason.BAD_CARD': '그런 카드는 없습니다', 'reason.OVERBOMBED': '동시에 더 강한 폭탄이 나왔습니다', 'reason.NO_WINDOW': '늘릴 폭탄 시간이 없습니다', 'reason.NO_WAITS_LEFT': '이번 라운드의 기다림을 모두 썼습니다',
  'reason.PRESENT': '이 사람은 자리에 있고 스스로 결정합니다', 'reason.NOTHING_TO_DECIDE': '이 자리는 결정할 것이 없습니다', 'reason.NO_SUCH_BOT': '그런 봇은 없습니다', 'reason.KNOWS_CARDS': '이번 라운드의 다른 카드를 알고 있습니다. 다음 라운드를 기다리세요', 'reason.CASUAL_ONLY': '가벼운 테이블에서만 가능합니다', 'reason.TOO_FAST': '한꺼번에 너무 많습니다. 잠시 기다려 주세요', 'reason.EMPTY': '할 말이 없습니다',

  // Why a bot does what it does
  'bot_reason.chosen': '이 봇은 여기서 이렇게 합니다.', 'bot_reason.fallback': '봇이 실패해서 욕심쟁이 봇이 결정했습니다.', 'bot_reason.forced': '다른 방법이 없습니다.', 'bot_reason.call': '이 손패는 약 {percent}%의 경우 1등으로 나갑니다.',
  'bot_reason.no_call': '이 카드는 약 {percent}%만 1등으로 나갑니다.', 'bot_reason.convention': '없어도 가장 덜 아쉬운 카드이고, 파트너에게는 줄 수 있는 가장 좋은 카드를 줍니다.', 'bot_reason.given_card': '다음 사람이 {rank}을(를) 받았으니 내야 합니다.',
  'bot_reason.high_card': '높은 카드를 끌어냅니다.', 'bot_reason.no_wish': '바랄 만한 것이 없습니다.', 'bot_reason.to_the_last': '{seat} 님이 꼴찌가 될 가능성이 가장 높고, 그러면 트릭이 돌아옵니다.', 'bot_reason.out': '마지막 카드입니다.',
  'bot_reason.run': '남은 손패를 막을 것이 없습니다.', 'bot_reason.shed': '버리기 어려운 카드를 버립니다.', 'bot_reason.control': '약 {percent}%로 트릭을 이기고, 리드는 그만한 가치가 있습니다.', 'bot_reason.stop': '{seat} 님에게 리드를 주면 안 됩니다.',
  'bot_reason.support': '{seat} 님이 선언했으니 먼저 나가야 합니다.', 'bot_reason.partner_holds': '{seat} 님이 트릭을 쥐고 있습니다.', 'bot_reason.own_trick': '이미 이긴 트릭입니다.', 'bot_reason.hold_back': '이길 카드는 나중에 더 값집니다.',
  'bot_reason.learned': '이런 경우 {percent}%는 이렇게 하고, 이번 라운드에서 {points}점을 기대하며, {first}% 확률로 가장 먼저 손을 텁니다.',
};

export default ko;
