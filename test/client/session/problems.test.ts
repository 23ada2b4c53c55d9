import { notTheService, unavailable } from '../../../client/session/problems';
import type { Refusal } from '../../../client/session/steps';

const refusal = (status: number, text = ''): Refusal => ({ ok: false, status, text, isForeign: false });

describe('a refusal that says nothing about what was entered', () => {
  it.each([300, 302, 399])('is a redirection, which is not followed (status %i)', (status) => {
    expect(unavailable(refusal(status))?.message).toBe(
      'The service sends logins on to another address, which is not followed.',
    );
  });

  it.each([299, 400, 401, 422, 499])('is no other status (%i)', (status) => {
    expect(unavailable(refusal(status))).toBeUndefined();
  });

  it('says what the service said, and that it gave no reason where it did not', () => {
    expect(unavailable(refusal(500))?.message).toBe(
      'The service could not log in just now (status 500). The service gave no reason (status 500).',
    );
    expect(unavailable(refusal(503, 'closed for the night'))?.message).toBe(
      'The service could not log in just now (status 503). The service said: "closed for the night".',
    );
  });
});

it('says what something else at the address answered, where it did', () => {
  const at = 'Something answers at https://proxy.example, but it is not the brokerage service.';
  expect(notTheService('https://proxy.example').message).toBe(at);
  expect(notTheService('https://proxy.example', refusal(404)).message).toBe(`${at} It answered with the status 404.`);
  expect(notTheService('https://proxy.example', refusal(403, 'blocked')).message).toBe(
    `${at} It answered with the status 403: "blocked".`,
  );
});
