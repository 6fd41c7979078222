// Logging in, with an access token or as a user with a password.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../app_state.ts';
import { errorDocument, type Credentials, type ErrorDocument, type LogInWay } from '../data_source.ts';
import { EmptyState } from '../parts/empty_state.tsx';
import { ErrorMessage } from '../parts/error_message.tsx';
import { Heading } from '../parts/heading.tsx';

function WayChoice({ way, choose }: { way: LogInWay; choose: (way: LogInWay) => void }): VNode {
  const choice = (value: LogInWay, name: string): VNode =>
    <label><input type="radio" name="way" value={value} checked={way === value} onChange={() => choose(value)} /><span>{name}</span></label>;
  return <fieldset class="segmented" aria-label="Log in with">{choice('users', 'User and password')}{choice('token', 'Access token')}</fieldset>;
}

export function LoginPage(): VNode {
  const app = useApp();
  const hasUsers = app.logInWay.value === 'users';
  const [way, setWay] = useState(app.logInWay.value);
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
        {hasUsers && <WayChoice way={way} choose={setWay} />}
        {way === 'token'
          ? <div class="field"><label for="token">Access token</label><input id="token" name="token" type="password" required autocomplete="current-password" /></div>
          : <>
              <div class="field"><label for="user">User</label><input id="user" name="user" type="text" required autocomplete="username" /></div>
              <div class="field"><label for="password">Password</label><input id="password" name="password" type="password" required autocomplete="current-password" /></div>
            </>}
        {error && <ErrorMessage error={error} />}
        <button type="submit" class="primary" disabled={isBusy}>{isBusy ? 'Logging in…' : 'Log in'}</button>
      </form>
      {hasUsers
        ? <EmptyState>Who runs this server gives users and passwords.</EmptyState>
        : <EmptyState command="xsp serve">The server prints an address with its access token when it starts.</EmptyState>}
    </>
  );
}
