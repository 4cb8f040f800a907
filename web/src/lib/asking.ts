/** What the server answers, late or not at all. */
import { Refusal } from './api';

/** Take answers in the order of the questions: one that comes after the answer to a later question is dropped. */
export function inOrder<T>(take: (answer: T) => void): (question: Promise<T>) => Promise<void> {
  let [asked, heard] = [0, 0];
  return async (question) => {
    const turn = ++asked;
    const answer = await question;
    if (turn < heard) return;
    heard = turn;
    take(answer);
  };
}

/** Nobody has this token any more: a guest like any other.  Whatever else goes wrong says nothing about who is here. */
export const isStranger = (error: unknown): boolean =>
  error instanceof Refusal && ['no_token', 'wrong_token', 'token_ended'].includes(error.code);
