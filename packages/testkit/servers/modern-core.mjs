// How a hostile server of revision 2026-07-28 answers: no SDK, raw text. `answerModern` gives the
// HTTP status and the text of the answer, or null for silence.
import { echoAnswer } from './server-core.mjs';

const META = 'io.modelcontextprotocol/';
const SERVER = `"_meta":{"${META}serverInfo":{"name":"modern shelf","version":"2.0"}}`;
const TOOL = {
  name: 'echo',
  description: 'Gives back what it was given.',
  inputSchema: {
    type: 'object',
    properties: { shelf: { type: 'string', 'x-mcp-header': 'Shelf' } },
  },
  annotations: { readOnlyHint: true },
};
const ASKS = {
  'asks-person': {
    who: { method: 'elicitation/create', params: { mode: 'form', message: 'Who asks?', n: 1 } },
  },
  'asks-model': { poem: { method: 'sampling/createMessage', params: { maxTokens: 9 } } },
  'asks-forever': { again: { method: 'elicitation/create', params: { message: 'And now?' } } },
};

function errorText(idText, code, message, data) {
  const tail = data === undefined ? '' : `,"data":${JSON.stringify(data)}`;
  return `{"jsonrpc":"2.0","id":${idText},"error":{"code":${code},"message":"${message}"${tail}}}`;
}

function resultText(idText, members) {
  return `{"jsonrpc":"2.0","id":${idText},"result":{${members}}}`;
}

export function answerModern(text, behaviour) {
  const message = JSON.parse(text);
  if (message.id === undefined) return null;
  const idText = JSON.stringify(message.id);
  const meta = message.params?._meta ?? {};
  if (message.method === 'initialize' || meta[`${META}protocolVersion`] === undefined) {
    return { status: 400, text: errorText(idText, -32602, 'this server speaks 2026-07-28 only') };
  }
  switch (message.method) {
    case 'server/discover':
      return discoverAnswer(idText, behaviour);
    case 'tools/list':
      return {
        status: 200,
        text: resultText(
          idText,
          `"resultType":"complete","tools":${JSON.stringify(toolsOf(behaviour))},"ttlMs":0,"cacheScope":"private",${SERVER}`,
        ),
      };
    case 'tools/call':
      return callAnswer(idText, text, message.params, behaviour);
    default:
      return { status: 404, text: errorText(idText, -32601, 'no such method') };
  }
}

function toolsOf(behaviour) {
  if (behaviour !== 'bad-header') return [TOOL];
  const shelf = { type: 'number', 'x-mcp-header': 'Shelf' };
  return [{ ...TOOL, inputSchema: { type: 'object', properties: { shelf } } }];
}

function discoverAnswer(idText, behaviour) {
  const supported = { 'only-later': ['2099-01-01'], 'only-earlier': ['2025-06-18'] }[behaviour];
  if (supported !== undefined) {
    const data = { supported, requested: '2026-07-28' };
    return { status: 400, text: errorText(idText, -32022, 'Unsupported protocol version', data) };
  }
  const members = `"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},${SERVER}`;
  return { status: 200, text: resultText(idText, members) };
}

function callAnswer(idText, text, params, behaviour) {
  if (behaviour === 'never-answers') return null;
  if (behaviour === 'odd-type') {
    return { status: 200, text: resultText(idText, '"resultType":"perhaps","content":[]') };
  }
  if (behaviour === 'call-error') {
    return { status: 400, text: errorText(idText, -32020, 'Header mismatch: Mcp-Name') };
  }
  const asks = ASKS[behaviour];
  const isAgain = params.inputResponses !== undefined || params.requestState !== undefined;
  if (behaviour === 'state-only' && !isAgain) {
    return inputRequired(idText, null);
  }
  if (asks !== undefined && (!isAgain || behaviour === 'asks-forever')) {
    return inputRequired(idText, asks);
  }
  const told = JSON.stringify(
    JSON.stringify({ ...params.inputResponses, is: params.requestState }),
  );
  const answer = isAgain
    ? resultText(idText, `"resultType":"complete","content":[{"type":"text","text":${told}}]`)
    : echoAnswer(idText, text.replace(/,"_meta":[\s\S]*$/, '}}')).replace(
        '"result":{',
        '"result":{"resultType":"complete",',
      );
  return { status: 200, text: answer };
}

function inputRequired(idText, asks) {
  const requests = asks === null ? '' : `,"inputRequests":${JSON.stringify(asks)}`;
  const members = `"resultType":"input_required"${requests},"requestState":"st\\u0061te"`;
  return { status: 200, text: resultText(idText, members) };
}
