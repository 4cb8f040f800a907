/** The table before a game and between two: settings, who is ready, who is sent away. */
export default {
  rematch: 'The next game',
  settings: 'What is played',
  change: 'Change the settings',
  save: 'Use these settings',
  open: 'open to everybody',
  casual: 'casual: hints, nothing counts',
  counts: 'counts in your results',
  pace: 'bots: {pace}',
  ready: 'I am ready',
  isReady: 'ready',
  allReady: 'The game begins when all who are here are ready.',
  back: 'Back to the result',
  remove: 'Remove {name}?',
  removeText: '{name} loses the seat, and can sit down again where one is free.',
  removeYes: 'Remove',
} as const satisfies Record<string, string>;
