/** Synthesised sounds: wood, paper, a small bell.  No files, and nothing before the player has touched the page. */
import { settings } from './settings.svelte';

type Sound = 'card' | 'turn' | 'pass' | 'take' | 'call' | 'bomb' | 'win' | 'lose' | 'chat';

let audio: AudioContext | null = null;
let noise: AudioBuffer | null = null;

function audioContext(): AudioContext | null {
  if (!settings.sound || !('AudioContext' in globalThis)) return null;
  // Browsers allow no sound before the first gesture; an earlier context only causes a warning.
  if (!audio && !(navigator.userActivation?.hasBeenActive ?? true)) return null;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') void audio.resume();
  return audio;
}

function tone(
  ctx: AudioContext,
  at: number,
  pitch: number,
  length: number,
  volume: number,
  type: OscillatorType = 'sine',
  slideTo = pitch,
): void {
  const oscillator = ctx.createOscillator();
  const gain = ctx.createGain();
  oscillator.type = type;
  oscillator.frequency.setValueAtTime(pitch, at);
  oscillator.frequency.exponentialRampToValueAtTime(slideTo, at + length);
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(volume, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(ctx.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

function rustle(ctx: AudioContext, at: number, length: number, volume: number, pitch: number): void {
  if (!noise) {
    noise = ctx.createBuffer(1, ctx.sampleRate, ctx.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  }
  const source = ctx.createBufferSource();
  const filter = ctx.createBiquadFilter();
  const gain = ctx.createGain();
  source.buffer = noise;
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(filter).connect(gain).connect(ctx.destination);
  source.start(at, Math.random() * 0.5, length);
}

const PLAY: Record<Sound, (ctx: AudioContext, at: number) => void> = {
  card: (ctx, at) => (rustle(ctx, at, 0.07, 0.35, 2600), tone(ctx, at + 0.03, 190, 0.07, 0.12, 'triangle', 120)),
  pass: (ctx, at) => (tone(ctx, at, 150, 0.06, 0.14, 'triangle'), tone(ctx, at + 0.11, 140, 0.06, 0.11, 'triangle')),
  take: (ctx, at) => [0, 0.05, 0.1, 0.16].forEach((d) => rustle(ctx, at + d, 0.08, 0.2, 1800 + d * 6000)),
  turn: (ctx, at) => (tone(ctx, at, 659, 0.5, 0.13), tone(ctx, at + 0.12, 988, 0.7, 0.1)),
  call: (ctx, at) => [523, 659, 784].forEach((p, i) => tone(ctx, at + i * 0.09, p, 0.7, 0.12, 'triangle')),
  bomb: (ctx, at) => (
    tone(ctx, at, 110, 0.9, 0.5, 'sawtooth', 28),
    rustle(ctx, at, 0.9, 0.9, 380),
    rustle(ctx, at, 0.2, 0.5, 2400)
  ),
  win: (ctx, at) => [523, 659, 784, 1047].forEach((p, i) => tone(ctx, at + i * 0.12, p, 0.9, 0.12, 'triangle')),
  lose: (ctx, at) => [392, 349, 294].forEach((p, i) => tone(ctx, at + i * 0.18, p, 0.6, 0.1, 'triangle')),
  chat: (ctx, at) => tone(ctx, at, 880, 0.12, 0.07, 'sine', 1175),
};

export function playSound(name: Sound): void {
  const ctx = audioContext();
  if (ctx) PLAY[name](ctx, ctx.currentTime + 0.005);
}

export function vibrate(pattern: number | number[]): void {
  if (settings.vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}
