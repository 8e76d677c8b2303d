// Servers that ask the client while they work on tools/call. `peer.askAs(id, method, params)` takes
// texts and resolves with the answer's line; each server tells in its result what it was answered.
import { textAnswer } from './server-core.mjs';

const FORM =
  '{"mode":"form","message":"Really take the box away?","requestedSchema":{"type":"object","properties":{"sure":{"type":"boolean"},"note":{"type":"string"}},"required":["sure"]}}';
const ELICIT = 'elicitation/create';

const deepSchema = () =>
  `${'{"type":"object","properties":{"a":'.repeat(3000)}1${'}}'.repeat(3000)}`;

const HOSTILE_FORM = `{"message":"<img src=x onerror=alert(1)> Fill in","requestedSchema":{"type":"object","properties":{"__proto__":{"type":"string","title":"proto"},"constructor":{"type":"number"},"slow":{"type":"string","pattern":"^(a+)+$","default":"${'a'.repeat(40)}!"},"deep":${deepSchema()},"choice":{"type":"string","enum":["one","one",3,null]},"none":null,"many":{"type":"array","items":{"type":"string","enum":["x","y"]}}},"required":["slow","missing"]}}`;

async function telling(idText, peer, ...asks) {
  const lines = await Promise.all(asks.map((ask) => peer.askAs(...ask)));
  peer.send(textAnswer(idText, lines.join('\n')));
}

export const ASK_BEHAVIOURS = {
  'asks-form': (id, _request, peer) => telling(id, peer, ['"form-1"', ELICIT, FORM]),
  // An id of its own for each call, as several of them may be open at once.
  'asks-by-call': (id, _request, peer) => telling(id, peer, [`"for-${id}"`, ELICIT, FORM]),
  'asks-roots': (id, _request, peer) => telling(id, peer, ['"roots-1"', 'roots/list']),
  'asks-unknown': (id, _request, peer) => telling(id, peer, ['7', 'shelf/colour', '{"a":1.0}']),
  'asks-many': (id, _request, peer) =>
    telling(id, peer, ...Array.from({ length: 100 }, (_, at) => [`"m${at}"`, ELICIT, FORM])),
  'asks-flood': (id, _request, peer) =>
    telling(id, peer, ...Array.from({ length: 500 }, (_, at) => [`"f${at}"`, ELICIT, FORM])),
  'asks-for-ever': async (_id, _request, peer) => {
    for (let at = 1; ; at += 1) await peer.askAs(`"e${at}"`, ELICIT, FORM);
  },
  'asks-with-our-id': (id, _request, peer) => telling(id, peer, [id, ELICIT, FORM]),
  'asks-with-odd-ids': (id, _request, peer) => {
    // Nobody may answer the first one.
    void peer.askAs('null', ELICIT, FORM);
    return telling(
      id,
      peer,
      ['9007199254740993', ELICIT, FORM],
      ['1.50', ELICIT, FORM],
      ['"\\u0041"', ELICIT, FORM],
      ['9007199254740995', 'ping'],
    );
  },
  'asks-large': (id, _request, peer) =>
    telling(id, peer, ['"large"', ELICIT, `{"message":"${'é'.repeat(2_500_000)}"}`]),
  'asks-after-answer': (id, _request, peer) => {
    peer.send(textAnswer(id, 'done'));
    void peer.askAs('"late"', ELICIT, FORM);
  },
  'asks-then-withdraws': async (id, _request, peer) => {
    void peer.askAs('"gone"', ELICIT, FORM);
    peer.send(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"gone","reason":"found it"}}',
    );
    peer.send(textAnswer(id, 'without you'));
  },
  'asks-for-sampling': (id, _request, peer) =>
    telling(id, peer, [
      '"s1"',
      'sampling/createMessage',
      '{"messages":[{"role":"user","content":{"type":"text","text":"Which shelf? <b>A</b>"}},{"role":"user","content":{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}}],"systemPrompt":"Be brief.","maxTokens":50}',
    ]),
  'asks-url': (id, _request, peer) =>
    telling(id, peer, [
      '"u1"',
      ELICIT,
      '{"mode":"url","message":"Sign in","url":"javascript:alert(1)//https://depot.example/","elicitationId":"x"}',
    ]),
  'asks-hostile-form': (id, _request, peer) => telling(id, peer, ['"h1"', ELICIT, HOSTILE_FORM]),
  'tells-progress': async (id, request, peer) => {
    const token = JSON.stringify(JSON.parse(request).params._meta?.progressToken ?? null);
    const note = (method, params) =>
      peer.send(`{"jsonrpc":"2.0","method":"notifications/${method}","params":${params}}`);
    note('message', '{"level":"warning","logger":"shelves","data":"shelf A-7 is full"}');
    note('progress', `{"progressToken":${token},"progress":2,"total":3,"message":"counting"}`);
    await peer.askAs('"p1"', ELICIT, FORM);
    peer.send(textAnswer(id, `token ${token}`));
  },
};
