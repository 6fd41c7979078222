// A bug in one page leaves the others usable.
import { Component, type ComponentChildren } from 'preact';
import { errorDocument, type ErrorDocument } from '../data_source.ts';
import { ErrorMessage } from './error_message.tsx';

export class Guard extends Component<{ children: ComponentChildren }, { error: ErrorDocument | null }> {
  override state = { error: null };

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ error: errorDocument(error) });
  }

  override render(): ComponentChildren {
    const { error } = this.state;
    return error === null ? this.props.children : <ErrorMessage error={error} again={() => this.setState({ error: null })} />;
  }
}
