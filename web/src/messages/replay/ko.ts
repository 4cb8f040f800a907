import type en from './en';

/** 지난 게임 다시 보기. */
const ko: Readonly<Record<keyof typeof en, string>> = {
  title: '게임 다시 보기', missing: '그런 게임이 없거나 아직 진행 중입니다.', loading: '게임을 가져오는 중 …', failed: '게임을 불러올 수 없습니다.',
  against: '대', rounds: '라운드', actions: '진행', tools: '이 게임으로',
  allHands: '모든 손패', eyes: '누구의 카드', seenBy: '{name} 님의 시점',
  grand: '그랜드 티츄?', exchange: '카드 교환', trick: '트릭 {n}', taken: '{name} 님이 가져감', deal: '카드를 나눴습니다', tichuBy: '{name} 님 티츄 선언',
  noGrand: '{name}: 그랜드 티츄 안 함', decided: '{name} 님이 결정함', gives: '{name} 님이 카드 세 장을 줌', noBomb: '{name} 님은 폭탄을 내지 않음',
  grandText: '모두 카드 여덟 장을 보았습니다.', to: '{name}에게', givesTo: '{name} 님이 줌', hidden: '골랐지만 보이지 않음',
  handOf: '{name} 님의 카드', out: '{n}등으로 나감', called: '{call} 선언함', turn: '차례', passed: '패스', points: '가져간 점수 {n}점', noCards: '남은 카드 없음',
  start: '처음으로', end: '라운드 끝으로', back: '한 수 뒤로', on: '한 수 앞으로', trickBack: '한 트릭 뒤로', trickOn: '한 트릭 앞으로', play: '자동 재생', pause: '멈춤', slider: '라운드 안의 위치',
  stepOf: '{all} 중 {at}', roundOver: '{n}라운드 끝', double: '더블 승리', cardPoints: '카드', calls: '선언', sum: '라운드', total: '합계',
  playOn: '여기서 이어서 하기', playOnText: '바로 이 카드로 새 가벼운 테이블에 앉습니다. 나머지 자리는 봇이 맡고, 결과는 기록되지 않습니다.', playOnAs: '내 자리', playOnOver: '여기서는 라운드가 끝났습니다. 이어서 하고 싶은 곳으로 돌아가세요.', playOnGo: '자리에 앉기',
  copy: '이 위치의 링크 복사', copied: '복사했습니다', notCopied: '이 주소를 복사하세요: {address}', save: '게임 저장', saveTtn: '텍스트 (.ttn)', saveTch: 'BrettspielWelt 기록 (.tch)', saveJson: 'JSON (.json)',
  keys: '키: ← → 한 수, ↑ ↓ 한 트릭, Home과 End, Page Up과 Page Down은 라운드, 스페이스는 자동 재생, A는 모든 손패.',
};
export default ko;
