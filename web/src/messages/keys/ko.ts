import type en from './en';

/** 테이블에서 쓰는 키. */
const ko: Readonly<Record<keyof typeof en, string>> = {
  arrows: '카드 사이 이동',
  space: '카드 선택',
  enter: '선택한 카드 내기',
  p: '패스',
  t: '티츄 선언',
  b: '폭탄',
  r: '같은 숫자 모두',
  f: '가장 알맞은 조합',
  esc: '선택 취소',
  o: '정렬 바꾸기',
  h: '힌트',
  m: '소리 켜기/끄기',
  l: '지난 트릭',
  s: '점수',
  e: '빠른 인사',
  help: '이 목록',
};
export default ko;
