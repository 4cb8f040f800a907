/** Accounts over HTTP, and the browser's part in passkeys. */
import type {
  AccountInfo,
  Codes,
  Credentials,
  EmailCode,
  EmailInfo,
  EmailRemoval,
  Entered,
  LoginWays,
  MailAsked,
  MailRequest,
  NewAccount,
  NewEmail,
  NewPasskey,
  NewPassword,
  PasskeyList,
  PasskeyOptions,
  Recovery,
  SessionsEnded,
  ShownPasskey,
} from '../wire';
import { request, saveToken, token } from './api';
import { preferredLanguage } from './i18n.svelte';
import { address } from './router.svelte';
import { forget } from './storage';

/** What this device is called in the list of sessions. */
export function deviceName(): string {
  const agent = navigator.userAgent;
  const find = (names: readonly (readonly [RegExp, string])[]) => names.find(([sign]) => sign.test(agent))?.[1];
  const browser = find([
    [/Edg\//, 'Edge'],
    [/Firefox\//, 'Firefox'],
    [/Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ]);
  const system = find([
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Windows/, 'Windows'],
    [/Mac OS/, 'macOS'],
    [/Linux/, 'Linux'],
  ]);
  return [browser, system].filter(Boolean).join(', ');
}

function enter(entered: Entered): Entered {
  saveToken(entered.token);
  return entered;
}

export const account = (): Promise<AccountInfo> => request('me/account');

export const create = async (name: string, password: string): Promise<Entered> =>
  enter(await request('accounts', { name, password, device: deviceName() } satisfies NewAccount));

/** Somebody has come in; the guest who was here before may come along. */
async function comeIn(entered: Entered, alsoGuest: boolean, guest: string | null): Promise<void> {
  enter(entered);
  if (alsoGuest && guest) await request('me/guests', { token: guest }).catch(() => undefined);
}

export async function logIn(name: string, password: string, alsoGuest: boolean): Promise<void> {
  const guest = token();
  const shown = { name, password, device: deviceName() } satisfies Credentials;
  await comeIn(await request('login', shown), alsoGuest, guest);
}

export async function recover(name: string, code: string, password: string): Promise<void> {
  const shown = { name, code, password, device: deviceName(), language: preferredLanguage() } satisfies Recovery;
  enter(await request('login/recovery', shown));
}

export const ways = (): Promise<LoginWays> => request('login');
export const askForMail = (name: string): Promise<MailAsked> =>
  request('login/mail', { name, language: preferredLanguage() } satisfies MailRequest);
export const addEmail = (email: string, password: string): Promise<EmailInfo> =>
  request('me/email', { email, password, language: preferredLanguage() } satisfies NewEmail);
export const confirmEmail = (code: string): Promise<EmailInfo> =>
  request('me/email/code', { code, language: preferredLanguage() } satisfies EmailCode);
export const removeEmail = (password: string): Promise<EmailInfo> =>
  request('me/email/removal', { password, language: preferredLanguage() } satisfies EmailRemoval);

export const rename = (name: string): Promise<AccountInfo> => request('me/name', { name });
export const changePassword = (password: string, newPassword: string): Promise<SessionsEnded> =>
  request('me/password', { password, newPassword } satisfies NewPassword);
export const renewCodes = (password: string): Promise<Codes> => request('me/codes', { password });
export const endSession = (id: string): Promise<SessionsEnded> =>
  request(`me/sessions/${encodeURIComponent(id)}`, undefined, 'DELETE');
export const endOthers = (): Promise<SessionsEnded> => request('me/sessions', undefined, 'DELETE');

export async function logOut(): Promise<void> {
  await request('me/token', undefined, 'DELETE');
  forget('token');
}

export async function farewell(password: string): Promise<void> {
  await request('me/farewell', { password });
  forget('token');
}

/** Everything about oneself, as a file. */
export async function download(): Promise<void> {
  const response = await fetch(address('api/me/export'), { headers: { authorization: `Bearer ${token() ?? ''}` } });
  if (!response.ok) throw new Error(response.statusText);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = 'tichu.json';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Whether this browser has passkeys at this address. */
export const hasPasskeys = (): boolean =>
  isSecureContext &&
  !/^[\d.]+$|:/.test(location.hostname) &&
  typeof PublicKeyCredential !== 'undefined' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential;

export const passkeys = (): Promise<PasskeyList> => request('me/passkeys');
export const dropPasskey = (id: string): Promise<PasskeyList> =>
  request(`me/passkeys/${encodeURIComponent(id)}`, undefined, 'DELETE');

export async function addPasskey(password: string): Promise<PasskeyList> {
  const { options } = await request<PasskeyOptions>('me/passkeys/options', undefined, 'POST');
  const asked = JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
  const credential = JSON.stringify(made?.toJSON() ?? null);
  return request('me/passkeys', { credential, name: deviceName(), password } satisfies NewPasskey);
}

export async function logInWithPasskey(alsoGuest: boolean): Promise<void> {
  const guest = token();
  const { options } = await request<PasskeyOptions>('login/passkey/options', undefined, 'POST');
  const asked = JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked);
  const shown = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null;
  const credential = JSON.stringify(shown?.toJSON() ?? null);
  await comeIn(
    await request('login/passkey', { credential, device: deviceName() } satisfies ShownPasskey),
    alsoGuest,
    guest,
  );
}
