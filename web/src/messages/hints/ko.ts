import type en from './en';

/** 봇이라면 무엇을 왜 할지. */
const ko: Readonly<Record<keyof typeof en, string>> = {
  text: '봇이라면: {what}. {why}',
  'action.pass': '패스',
  'action.grand': '그랜드 티츄 선언',
  'action.no_grand': '그랜드 티츄 선언 안 함',
  'action.tichu': '티츄 선언',
  'action.exchange': '{cards} 주기',
  'action.wish': '소원 {rank}',
  'action.no_wish': '소원 없음',
  'action.take': '트릭을 {name} 님에게',
  'action.play': '{what} 내기',
  'action.no_bomb': '폭탄 안 냄',
  'reason.chosen': '이 봇은 여기서 이렇게 합니다.',
  'reason.fallback': '봇이 실패해서 욕심쟁이 봇이 결정했습니다.',
  'reason.forced': '다른 방법이 없습니다.',
  'reason.call': '이 손패는 약 {percent}%의 경우 1등으로 나갑니다.',
  'reason.no_call': '이 카드는 약 {percent}%만 1등으로 나갑니다.',
  'reason.convention': '없어도 가장 덜 아쉬운 카드이고, 파트너에게는 줄 수 있는 가장 좋은 카드를 줍니다.',
  'reason.given_card': '다음 사람이 {rank}을(를) 받았으니 내야 합니다.',
  'reason.high_card': '높은 카드를 끌어냅니다.',
  'reason.no_wish': '바랄 만한 것이 없습니다.',
  'reason.to_the_last': '{seat} 님이 꼴찌가 될 가능성이 가장 높고, 그러면 트릭이 돌아옵니다.',
  'reason.out': '마지막 카드입니다.',
  'reason.run': '남은 손패를 막을 것이 없습니다.',
  'reason.shed': '버리기 어려운 카드를 버립니다.',
  'reason.control': '약 {percent}%로 트릭을 이기고, 리드는 그만한 가치가 있습니다.',
  'reason.stop': '{seat} 님에게 리드를 주면 안 됩니다.',
  'reason.support': '{seat} 님이 선언했으니 먼저 나가야 합니다.',
  'reason.partner_holds': '{seat} 님이 트릭을 쥐고 있습니다.',
  'reason.own_trick': '이미 이긴 트릭입니다.',
  'reason.hold_back': '이길 카드는 나중에 더 값집니다.',
  'reason.learned':
    '이런 경우 {percent}%는 이렇게 하고, 이번 라운드에서 {points}점을 기대하며, {first}% 확률로 가장 먼저 손을 ' +
    '텁니다.',
};
export default ko;
