// The declaration of an operation: its request as JSON Schema.
import { useApp } from './app_state.ts';
import { RequestError, type Operation } from './data_source.ts';
import { useDocument, type UsedDocument } from './use_document.ts';

export function useDeclaration(name: string): UsedDocument<Operation> {
  const app = useApp();
  return useDocument<Operation>(`operation ${name}`, async (_, report) => {
    const found = (await app.operations()).find((operation) => operation.name === name);
    if (!found) throw new RequestError({ kind: 'not_possible', what: `This server does not offer the operation ${name}` });
    report(found);
  });
}
