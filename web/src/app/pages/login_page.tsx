// Logging in, with an access token or as a user with a password.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../app_state.ts';
import { errorDocument, type Credentials, type ErrorDocument } from '../data_source.ts';
import { EmptyState } from '../parts/empty_state.tsx';
import { ErrorMessage } from '../parts/error_message.tsx';
import { Heading } from '../parts/heading.tsx';

type Way = 'token' | 'users';

function WayChoice({ way, choose }: { way: Way; choose: (way: Way) => void }): VNode {
  const choice = (value: Way, name: string): VNode =>
    <label><input type="radio" name="way" value={value} checked={way === value} onChange={() => choose(value)} /><span>{name}</span></label>;
  return <fieldset class="segmented" aria-label="Log in with">{choice('token', 'Access token')}{choice('users', 'User and password')}</fieldset>;
}

export function LoginPage(): VNode {
  const app = useApp();
  const [way, setWay] = useState<Way>('token');
  const [error, setError] = useState<ErrorDocument | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function logIn(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => String(data.get(name) ?? '');
    const credentials: Credentials = way === 'token' ? { token: text('token').trim() } : { user: text('user'), password: text('password') };
    setBusy(true);
    setError(null);
    try {
      app.enter(await app.source.logIn(credentials));
    } catch (reason) {
      setError(errorDocument(reason));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Heading title="Log in" />
      <form class="login" onSubmit={(event) => { void logIn(event); }}>
        <WayChoice way={way} choose={setWay} />
        {way === 'token'
          ? <div class="field"><label for="token">Access token</label><input id="token" name="token" type="password" required autocomplete="current-password" /></div>
          : <>
              <div class="field"><label for="user">User</label><input id="user" name="user" type="text" required autocomplete="username" /></div>
              <div class="field"><label for="password">Password</label><input id="password" name="password" type="password" required autocomplete="current-password" /></div>
            </>}
        {error && <ErrorMessage error={error} />}
        <button type="submit" class="primary" disabled={isBusy}>{isBusy ? 'Logging in…' : 'Log in'}</button>
      </form>
      <EmptyState command="xsp serve">The server prints an address with its access token when it starts.</EmptyState>
    </>
  );
}
