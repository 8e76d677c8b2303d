// How a hostile server treats tools/call. Each behaviour gets the call's id as text, the request's
// text and a `peer`: send(text) one message, raw(text) bytes as they are, ask(method, params) a
// request to the client, askAs(id, method, params) one of texts, exit(code), and done() where the transport has an end of answer.
import { spawn } from 'node:child_process';
import { ASK_BEHAVIOURS } from './ask-behaviours.mjs';
import { ID_BEHAVIOURS } from './id-behaviours.mjs';
import { NOTIFICATION_CALLS } from './notification-behaviours.mjs';
import { RESULT_BEHAVIOURS } from './result-behaviours.mjs';
import { SECRET_BEHAVIOURS } from './secret-behaviours.mjs';
import { echoAnswer, textAnswer } from './server-core.mjs';

const ERROR_WITHOUT_ID =
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"cannot read the label"}}';
const MEGABYTE = 1024 * 1024;

/** Calls that came at the same time, for servers that mix them up. */
let together = [];

/** Gives all calls that come within a few milliseconds to `answerAll` at once. */
function gather(call, answerAll) {
  together.push(call);
  if (together.length > 1) return;
  setTimeout(() => {
    const calls = together;
    together = [];
    answerAll(calls);
  }, 50);
}

export const CALL_BEHAVIOURS = {
  ...ASK_BEHAVIOURS,
  ...ID_BEHAVIOURS,
  ...NOTIFICATION_CALLS,
  ...RESULT_BEHAVIOURS,
  ...SECRET_BEHAVIOURS,
  echo: (idText, request, peer) => peer.send(echoAnswer(idText, request)),
  'exit-mid-call': (_idText, _request, peer) => {
    process.stderr.write('out of shelves\n');
    peer.exit(3);
  },
  // Alone each call gets its own answer; at once each gets its neighbour's.
  'swaps-answers': (idText, request, peer) =>
    gather({ idText, request }, (calls) => {
      for (const [at, call] of calls.entries()) {
        peer.send(echoAnswer(call.idText, calls[(at + 1) % calls.length].request));
      }
    }),
  'answers-last-first': (idText, request, peer) =>
    gather({ idText, request }, (calls) => {
      for (const call of calls.reverse()) peer.send(echoAnswer(call.idText, call.request));
    }),
  'never-answers': () => undefined,
  'noise-only': (_idText, _request, peer) => peer.raw('working on it ...\n'),
  'stderr-flood': async (idText, request, peer) => {
    const chunk = Buffer.alloc(MEGABYTE, 'e');
    process.stderr.write('first words\n');
    for (let at = 0; at < 100; at += 1) {
      if (!process.stderr.write(chunk)) {
        await new Promise((resolve) => process.stderr.once('drain', resolve));
      }
    }
    process.stderr.write('\nlast words\n');
    peer.send(echoAnswer(idText, request));
  },
  'frame-flood': (_idText, _request, peer) => {
    for (let at = 0; at < 20; at += 1) peer.raw('\n'.repeat(10_000));
  },
  'invalid-json': (idText, _request, peer) =>
    peer.raw(`{"jsonrpc":"2.0","id":${idText},"result":{"content":[}\n`),
  'invalid-json-then-exit': (idText, _request, peer) => {
    peer.raw(`{"jsonrpc":"2.0","id":${idText},"result":{"content":[}\n`);
    peer.exit(0);
  },
  'nan-answer': (idText, _request, peer) =>
    peer.raw(`{"jsonrpc":"2.0","id":${idText},"result":{"content":[],"mean":NaN}}\n`),
  'pretty-printed': (idText, request, peer) =>
    peer.raw(`${JSON.stringify(JSON.parse(echoAnswer(idText, request)), null, 2)}\n`),
  'error-without-id': (_idText, _request, peer) => peer.send(ERROR_WITHOUT_ID),
  'error-without-id-then-exit': (_idText, _request, peer) => {
    peer.send(ERROR_WITHOUT_ID);
    peer.exit(1);
  },
  'mark-first': (idText, _request, peer) => peer.send(`\ufeff${textAnswer(idText, 'marked')}`),
  'extra-key': (idText, _request, peer) =>
    peer.send(textAnswer(idText, 'more').replace('{', '{"extra":1,')),
  'text-content': (idText, _request, peer) =>
    peer.send(`{"jsonrpc":"2.0","id":${idText},"result":{"content":"shelf A-7"}}`),
  'bare-content': (idText, _request, peer) =>
    peer.send(`{"jsonrpc":"2.0","id":${idText},"result":{"content":["shelf A-7"]}}`),
  'error-word': (idText, _request, peer) =>
    peer.send(textAnswer(idText, 'locked', ',"isError":"true"')),
  'structured-list': (idText, _request, peer) =>
    peer.send(textAnswer(idText, 'two', ',"structuredContent":[1,2]')),
  'null-result': (idText, _request, peer) =>
    peer.send(`{"jsonrpc":"2.0","id":${idText},"result":null}`),
  'answers-twice': (idText, _request, peer) => {
    peer.send(textAnswer(idText, 'first'), textAnswer(idText, 'second'));
  },
  'other-id': (_idText, _request, peer) => peer.send(textAnswer('999', 'for somebody else')),
  'string-id': (idText, _request, peer) => peer.send(textAnswer(`"${idText}"`, 'nearly yours')),
  'string-ids': (idText, _request, peer) => peer.send(textAnswer(`"${idText}"`, 'nearly yours')),
  'both-members': (idText, _request, peer) =>
    peer.send(`{"jsonrpc":"2.0","id":${idText},"result":{},"error":{"code":1,"message":"x"}}`),
  'batch-answer': (idText, _request, peer) => peer.send(`[${textAnswer(idText, 'in a batch')}]`),
  'unterminated-answer': (idText, _request, peer) => {
    peer.raw(textAnswer(idText, 'no line feed'));
    peer.exit(0);
  },
  'huge-answer': (idText, _request, peer) =>
    peer.send(textAnswer(idText, 'x'.repeat(20 * MEGABYTE))),
  'slow-with-progress': (idText, request, peer) => {
    let step = 0;
    const timer = setInterval(() => {
      step += 1;
      if (step <= 3) {
        peer.send(
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":${step},"total":3}}`,
        );
        return;
      }
      clearInterval(timer);
      peer.send(echoAnswer(idText, request));
    }, 20);
  },
  'print-env': (idText, _request, peer) =>
    peer.send(textAnswer(idText, Object.keys(process.env).sort().join('\n'))),
  grandchild: (idText, _request, peer) => {
    const script = 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000);console.error("up")';
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'pipe'] });
    // Only when its handler is in place does it outlive a SIGTERM.
    child.stderr.once('data', () => peer.send(textAnswer(idText, String(child.pid))));
  },
  // Leads a session and a group of its own, as daemons do, and ignores SIGTERM.
  'setsid-grandchild': (idText, _request, peer) => {
    const script = 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000);console.log("up")';
    const child = spawn(process.execPath, ['-e', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.unref();
    child.stdout.once('data', () => peer.send(textAnswer(idText, String(child.pid))));
  },
  'asks-client': async (idText, _request, peer) => {
    const answers = [
      await peer.ask('ping'),
      await peer.ask('roots/list'),
      await peer.ask('sampling/createMessage', { messages: [], maxTokens: 1 }),
      await peer.ask('elicitation/create', { message: 'Who?', requestedSchema: {} }),
    ];
    peer.send(textAnswer(idText, answers.join('\n')));
  },
  'is-error': (idText, _request, peer) =>
    peer.send(textAnswer(idText, 'the shelf is locked', ',"isError":true')),
  'json-rpc-error': (idText, _request, peer) =>
    peer.send(
      `{"jsonrpc":"2.0","id":${idText},"error":{"code":-32602,"message":"no such shelf","data":{"n":1.0}}}`,
    ),
  // A key that is no longer good, repeated where everyone can read it.
  'leaks-environment': (idText, _request, peer) => {
    process.stderr.write(`key ${process.env.SHELF_KEY} has expired\n`);
    peer.send(
      `{"jsonrpc":"2.0","id":${idText},"error":{"code":-32001,"message":"key ${process.env.SHELF_KEY} has expired"}}`,
    );
  },
  'dies-with-environment': (_idText, _request, peer) => {
    process.stderr.write(`cannot log in with ${process.env.SHELF_KEY}\n`);
    peer.exit(5);
  },
  'ignores-end': (idText, request, peer) => {
    process.on('SIGTERM', () => undefined);
    setInterval(() => undefined, 1000);
    peer.send(echoAnswer(idText, request));
  },
};
