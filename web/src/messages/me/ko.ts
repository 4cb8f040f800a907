import type en from './en';

/** 나의 기록. */
const ko: Readonly<Record<keyof typeof en, string>> = {
  title: '나의 기록',
  guest: '아직 여기서 게임을 하지 않았습니다. 테이블에 앉으면 게임이 여기에 나옵니다.',
  playNow: '시작 화면으로',
  failed: '기록을 불러올 수 없습니다.',
  loading: '잠시만요 …',
  games: '게임',
  won: '{n}승',
  perRound: '라운드당 점수',
  perRoundText: '우리 팀 {ours}, 상대 팀 {theirs}',
  firstOut: '1등으로 나감',
  double: '더블 승리',
  ofRounds: '{all}라운드 중 {n}',
  calls: '나의 선언',
  callsText:
    '옆의 값은 사람들의 평균입니다. 사람끼리 한 많은 게임에서 한 사람은 라운드의 {tichu}에서 티츄를, {grand}에서 ' +
    '그랜드 티츄를 선언합니다.',
  callRate: '선언',
  madeRate: '성공',
  you: '나',
  people: '사람들',
  timesOf: '{all} 중 {n}',
  never: '선언한 적 없음',
  noneCounted: '아직 집계된 게임이 없습니다. 가벼운 게임은 아래에 나오지만 통계에는 들어가지 않습니다.',
  counted: '가벼운 게임을 뺀 최근 게임의 집계입니다.',
  list: '나의 게임',
  none: '끝난 게임이 아직 없습니다.',
  more: '지난 게임 더 보기',
  win: '승리',
  loss: '패배',
  casual: '가벼운 게임',
  rated: '레이팅',
  watch: '게임 다시 보기',
  against: '{us} 대 {them}',
};
export default ko;
