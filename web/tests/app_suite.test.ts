// The forms of the commands of the suite, and the addresses of their answers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildRequest } from '../src/app/request_form.ts';
import { answerAddress, formOf, isAsked, suiteCommands, suiteFields } from '../src/app/suite_form.ts';
import { kOperations, kSuiteOperations } from './app_documents.ts';

const kRequest = kSuiteOperations[0]!.request;

describe('the suite', () => {
  test('has the operations of its group, under their own names', () => {
    assert.deepEqual(suiteCommands(kOperations).map(({ name }) => name), ['similarity', 'scaling']);
  });

  test('an address holds a request of any values', () => {
    const request = { source: ['a b', 'c&d=e'], clusters: 3, share: true, batch: [1, 8] };
    const { pathname, search } = new URL(answerAddress('similarity', request), 'http://x');
    assert.equal(pathname, '/suite/similarity');
    assert.deepEqual(buildRequest(kRequest, formOf(kRequest, search)), { request, errors: {} });
  });

  test('a request without fields is asked for, too, but not before the form is sent', () => {
    assert.equal(isAsked(new URL(answerAddress('report', {}), 'http://x').search), true);
    assert.equal(isAsked('?source=a'), false);
  });

  test('fields that the command does not have are left out', () => {
    assert.deepEqual(formOf(kRequest, '?asked=1&output=/etc/passwd&clusters=2'), { clusters: '2' });
  });

  test('arguments come before options', () => {
    const { first, options } = suiteFields(kRequest);
    assert.deepEqual([first.map(({ name }) => name), options.map(({ name }) => name)], [['source'], ['clusters', 'share', 'batch']]);
  });
});
