import { createTransport } from 'nodemailer';
import { once } from 'node:events';
import net from 'node:net';
import readline from 'node:readline';
import { heldAtMost, heldMemory } from '../../support/held-memory';
import { SECOND, start, type Bench } from '../support';

const PICTURE = Buffer.from('89504e470d0a1a0a', 'hex');

const lastOtpText = async ({ http }: Bench): Promise<string | undefined> =>
  ((await http.get('/_sandbox/inbox')).data as { kind: string; text: string }[]).find(({ kind }) => kind === 'sms')
    ?.text;

describe('E-mails that workflows send', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await start({ mailPort: 0 });
  });
  afterEach(() => bench.close());

  const send = async (to: string, more = {}) => {
    const transport = createTransport({ host: '127.0.0.1', port: bench.running.mailPort, secure: false, ...more });
    await transport.sendMail({
      from: 'n8n <n8n@example.com>',
      to,
      subject: 'Your report',
      text: 'Holdings: ₹1,00,000',
      html: '<h1>Holdings</h1><img src="cid:chart">',
      attachments: [
        { filename: 'contract note.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') },
        { filename: 'chart.png', cid: 'chart', contentType: 'image/png', content: PICTURE },
      ],
    });
  };

  it('are in the mailbox of whose address it is, pictures inside, attachments to open', async () => {
    await send('asha@sandbox.invalid');
    const [mail, ...others] = (await bench.http.get('/_sandbox/inbox?phone=9000000001')).data;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      kind: 'email',
      to: 'asha@sandbox.invalid',
      from: '"n8n" <n8n@example.com>',
      subject: 'Your report',
      text: 'Holdings: ₹1,00,000',
      at: '2026-11-23T10:00:00.000+05:30',
      attachments: [{ filename: 'contract note.pdf', contentType: 'application/pdf' }],
    });
    expect(mail.html).toContain(`<img src="data:image/png;base64,${PICTURE.toString('base64')}"`);
    const file = await bench.http.get(`/_sandbox/inbox/${mail.id}/attachments/contract%20note.pdf`);
    expect(file.data).toBe('%PDF-1.7');
    expect((await bench.http.get('/_sandbox/inbox?phone=9000000002')).data).toEqual([]);
  });

  it('have attachments of one name apart, and a name that an address can hold', async () => {
    const transport = createTransport({ host: '127.0.0.1', port: bench.running.mailPort, secure: false });
    const attachments = ['data.csv', 'data.csv', '..', '../a b?.txt'].map((filename, index) => ({
      filename,
      content: `content ${index}`,
    }));
    await transport.sendMail({ from: 'n8n@example.com', to: 'asha@sandbox.invalid', text: 'x', attachments });
    const [mail] = (await bench.http.get('/_sandbox/inbox?phone=9000000001')).data as {
      id: number;
      attachments: { filename: string }[];
    }[];
    expect(mail!.attachments.map(({ filename }) => filename)).toEqual([
      'data.csv',
      '2-data.csv',
      'attachment-3',
      '../a b?.txt',
    ]);
    for (const [index, { filename }] of mail!.attachments.entries()) {
      expect(
        (await bench.http.get(`/_sandbox/inbox/${mail!.id}/attachments/${encodeURIComponent(filename)}`)).data,
      ).toBe(`content ${index}`);
    }
  });

  it('are in every mailbox where they go to any other address, whoever signs in to send them', async () => {
    await send('me@example.com, you@example.com', { auth: { user: 'any', pass: 'thing' } });
    for (const phone of ['9000000001', '9000000002']) {
      const mails = (await bench.http.get(`/_sandbox/inbox?phone=${phone}`)).data as { to: string }[];
      expect(mails.map(({ to }) => to)).toEqual(['you@example.com', 'me@example.com']);
    }
  });

  it('push out no one-time password, however many they are', async () => {
    await bench.http.post('/sendphoneotp', { phone: SECOND.phone, skip_totp: false });
    const otp = await lastOtpText(bench);
    const everybody = Array.from({ length: 40 }, (_, index) => `someone-${index}@example.com`).join(', ');
    await Promise.all(Array.from({ length: 26 }, async () => await send(everybody, {})));
    expect(await lastOtpText(bench)).toBe(otp);
    expect((await bench.http.get('/_sandbox/inbox')).data).toHaveLength(1_001);
  });

  it('are refused to more recipients than anybody writes to, and one named twice gets one', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `someone-${index}@example.com`);
    const transport = createTransport({ host: '127.0.0.1', port: bench.running.mailPort, secure: false });
    const sent = await transport.sendMail({ from: 'n8n@example.com', to: many, text: 'x' });
    expect(sent.rejected).toEqual([many[50]]);
    expect((await bench.http.get('/_sandbox/inbox')).data).toHaveLength(50);
    await transport.sendMail({
      envelope: { from: 'n8n@example.com', to: ['asha@sandbox.invalid', 'asha@sandbox.invalid'] },
      text: 'x',
    });
    expect((await bench.http.get('/_sandbox/inbox')).data).toHaveLength(51);
  });

  it('are refused where they are larger than 25 MB, and not held while they come', async () => {
    const server = net.connect(bench.running.mailPort!, '127.0.0.1');
    const said = readline.createInterface({ input: server })[Symbol.asyncIterator]();
    const answer = async (): Promise<string> => {
      for (;;) {
        const { value } = (await said.next()) as { value: string };
        if (value[3] !== '-') return value;
      }
    };
    const say = async (line: string): Promise<string> => {
      server.write(`${line}\r\n`);
      return await answer();
    };
    await answer();
    await say('EHLO a');
    await say('MAIL FROM:<a@example.com>');
    await say('RCPT TO:<b@example.com>');
    expect(await say('DATA')).toMatch(/^354/);
    const max = heldMemory().arrayBuffers + 20_000_000;
    const line = `${'x'.repeat(998)}\r\n`.repeat(1_000);
    for (let megabytes = 0; megabytes < 28; megabytes++) if (!server.write(line)) await once(server, 'drain');
    expect(await heldAtMost(max, ({ arrayBuffers }) => arrayBuffers)).toBeLessThanOrEqual(max);
    expect(await say('.')).toMatch(/^552/);
    expect((await bench.http.get('/_sandbox/inbox')).data).toEqual([]);
    server.destroy();
  });

  it('end the start where a port is taken, and nothing is left listening', async () => {
    const taken = net.createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as net.AddressInfo;
    await expect(start({ mailPort: port })).rejects.toThrow(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
    await new Promise((resolve) => taken.close(resolve));
  });

  it('are taken only where it was asked for', async () => {
    const without = await start();
    expect(without.running.mailPort).toBeUndefined();
    await without.close();
  });
});
