/** Recordings made for tests: invented parcels of an invented carrier. */

/** Two calls to one tool that differ in three arguments; the second result is folded by its renderer. */
export const PASTED = `[09:14:02] User: Which orders of Hollow Farm are stuck?
[09:14:05] Assistant: I'll look for their orders.
[09:14:05] → seeds/search_orders {"customer":"hollow farm","placed_after":"last Tuesday","limit":20}
[09:14:07] ← {"count": 0, "truncated": false, "orders": []}
[09:14:11] Assistant: Nothing. I will widen the search.
[09:14:12] → seeds/search_orders {"customer":"Hollow Farm","placed_after":"2026-01-01","limit":100}
[09:14:15] ← {"count": 20, "truncated": true, "orders": [ …20 items… ]}
[09:14:19] Assistant: They have exactly 20 orders.
`;

const SESSION = '0b6f6a52-6c58-4a53-93d5-2f6b1d0c7a10';

/** A coding agent's session file of about `steps` steps; one in fifty calls fails. */
export function longSession(steps: number): string {
  const lines: string[] = [];
  let clock = Date.UTC(2026, 9, 3, 8, 0, 0);
  let parent: string | null = null;
  const push = (type: string, message: unknown, extra: Record<string, unknown> = {}): string => {
    clock += 900;
    const uuid = `u-${lines.length}`;
    lines.push(
      JSON.stringify({
        parentUuid: parent,
        isSidechain: false,
        userType: 'external',
        cwd: '/srv/parcels',
        sessionId: SESSION,
        version: '2.1.39',
        type,
        message,
        uuid,
        timestamp: new Date(clock).toISOString(),
        ...extra,
      }),
    );
    parent = uuid;
    return uuid;
  };
  for (let turn = 0; turn * 20 < steps; turn += 1) {
    push('user', {
      role: 'user',
      content: `Turn ${turn}: where are the parcels of route ${turn % 40}?`,
    });
    for (let call = 0; call < 9; call += 1) {
      const id = `toolu_${turn}_${call}`;
      const key = `${turn}_${call}`;
      push(
        'assistant',
        {
          id: `msg_${key}`,
          role: 'assistant',
          model: 'claude-sonnet-4-5-20250929',
          content: [{ type: 'text', text: `Looking at depot ${call}.` }],
          usage: { input_tokens: 12, output_tokens: 30 },
        },
        { requestId: `req_${key}` },
      );
      const asked = push(
        'assistant',
        {
          id: `msg_${key}`,
          role: 'assistant',
          model: 'claude-sonnet-4-5-20250929',
          content: [
            {
              type: 'tool_use',
              id,
              name: 'mcp__parcels__track',
              input: { depot: call, route: turn % 40 },
            },
          ],
          usage: { input_tokens: 12, output_tokens: 55 },
        },
        { requestId: `req_${key}` },
      );
      const failed = (turn * 9 + call) % 50 === 49;
      push(
        'user',
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: id,
              content: failed
                ? 'depot does not answer'
                : `{"parcels":${call + 3},"late":${turn % 5}}`,
              ...(failed ? { is_error: true } : {}),
            },
          ],
        },
        { sourceToolAssistantUUID: asked },
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Payloads that run, load or hide something where text is taken for markup. */
export const PAYLOADS = [
  '<script>window.__x=1</script>',
  '<img src=x onerror="window.__x=1">',
  '<svg onload=window.__x=1>',
  '"><iframe src="javascript:window.__x=1">',
  'javascript:window.__x=1',
  '![beacon](http://127.0.0.1:9/beacon.png)',
  '[link](javascript:window.__x=1)',
  '<meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">',
  '<object data="http://127.0.0.1:9/o"></object>',
  '<link rel=stylesheet href=http://127.0.0.1:9/c.css>',
  '<style>@import url(http://127.0.0.1:9/s.css);</style>',
  '{{constructor.constructor("window.__x=1")()}}',
  '\u202egnirts desrever\u202c',
  '\u001b]52;c;AAAA\u0007\u001b[2J',
  '__proto__',
  'constructor.prototype.x',
];

/** A session file with a payload in every field that a person or a program can fill. */
export function hostileSession(): string {
  const all = PAYLOADS.join(' ');
  const lines: unknown[] = [];
  for (const [index, payload] of PAYLOADS.entries()) {
    const base = {
      parentUuid: index === 0 ? null : `r-${index - 1}-${payload}`,
      isSidechain: false,
      cwd: payload,
      gitBranch: payload,
      sessionId: `s-${PAYLOADS[0]}`,
      version: payload,
      slug: payload,
      timestamp: new Date(Date.UTC(2026, 9, 3, 8, 0, index * 3)).toISOString(),
    };
    lines.push(
      {
        ...base,
        type: 'user',
        uuid: `u-${index}`,
        message: { role: 'user', content: `${payload} ${all}` },
      },
      {
        ...base,
        type: 'assistant',
        uuid: `a-${index}-${payload}`,
        requestId: payload,
        message: {
          id: `m-${index}-${payload}`,
          role: 'assistant',
          model: payload,
          content: [
            { type: 'text', text: all },
            { type: 'thinking', thinking: all, signature: payload },
            {
              type: 'tool_use',
              id: `t-${index}-${payload}`,
              name: payload,
              input: { [payload]: payload, list: PAYLOADS },
            },
          ],
          usage: { input_tokens: 1, output_tokens: 2 },
        },
      },
      {
        ...base,
        type: 'user',
        uuid: `r-${index}-${payload}`,
        message: {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: `t-${index}-${payload}`,
              content: `${payload}\n${all}`,
              is_error: index % 2 === 0,
            },
          ],
        },
        toolUseResult: { [payload]: all },
      },
      { ...base, type: payload, uuid: `x-${index}`, [payload]: all },
    );
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** A log of agents without times, with a data set's judgement of one entry. */
export const LABELLED = JSON.stringify({
  question: 'Which crate is lighter?',
  question_ID: 'crates-1',
  ground_truth: 'the red one',
  history: [
    { content: 'Which crate is lighter?', role: 'human' },
    { content: 'Ask the scale.', role: 'Orchestrator (-> WebSurfer)' },
    { content: 'The blue one.', role: 'WebSurfer' },
  ],
  mistake_agent: 'WebSurfer',
  mistake_step: '2',
  mistake_reason: 'It read the wrong scale.',
});

const SCALES = 'c0ffee00-6c58-4a53-93d5-2f6b1d0c7a11';

/** A session of which one record lacks its time, and whose one call ends in an error of the tool. */
export const TIME_LACKING = `${[
  { type: 'user', message: { role: 'user', content: 'Weigh the red crate.' } },
  {
    type: 'assistant',
    timestamp: '2026-10-03T08:00:02.000Z',
    message: {
      id: 'msg_1',
      role: 'assistant',
      model: 'demo-model',
      content: [
        { type: 'tool_use', id: 'toolu_1', name: 'mcp__scales__weigh', input: { crate: 'red' } },
      ],
    },
  },
  {
    type: 'user',
    timestamp: '2026-10-03T08:00:03.000Z',
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: 'the scale is off',
          is_error: true,
        },
      ],
    },
  },
]
  .map((line, index) =>
    JSON.stringify({
      ...line,
      uuid: `w-${index}`,
      parentUuid: index === 0 ? null : `w-${index - 1}`,
      sessionId: SCALES,
      isSidechain: false,
      version: '2.1.39',
    }),
  )
  .join('\n')}\n`;
