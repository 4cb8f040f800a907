import type { ViewStep } from '../../wire';
import { describeEvent } from '../../lib/announce.svelte';
import { say } from '../../messages/replay';

/** A step as a sentence. */
export function describeStep(step: ViewStep | undefined, names: readonly string[]): string {
  if (!step?.text) return say('deal');
  const { event } = step;
  // A declined bomb is not an event, so that nobody else hears of it.
  if (!event) return say('noBomb', { name: names[Number(step.text.charAt(0))] ?? '' });
  const name = names[event.seat] ?? '';
  if (event.what === 'exchange') return say('gives', { name });
  if (event.what === 'no_grand') return say('noGrand', { name });
  if (event.what === 'grand_hidden') return say('decided', { name });
  return describeEvent(event, names);
}
