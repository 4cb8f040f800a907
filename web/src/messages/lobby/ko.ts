import type en from './en';

/** 게임 전과 게임 사이의 테이블: 설정, 준비된 사람, 내보내기. */
const ko: Readonly<Record<keyof typeof en, string>> = {
  rematch: '다음 게임',
  settings: '게임 설정',
  change: '설정 바꾸기',
  save: '이 설정으로 하기',
  open: '누구나 참가 가능',
  casual: '가벼운 게임: 힌트 가능, 기록 없음',
  counts: '결과에 기록됨',
  pace: '봇: {pace}',
  ready: '준비됐습니다',
  isReady: '준비됨',
  allReady: '여기 있는 모두가 준비되면 시작합니다.',
  back: '결과로 돌아가기',
  remove: '{name} 님을 내보낼까요?',
  removeText: '{name} 님은 자리를 잃지만 빈자리가 있으면 다시 앉을 수 있습니다.',
  removeYes: '내보내기',
};
export default ko;
