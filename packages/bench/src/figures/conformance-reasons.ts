/** Why a check is not passed where that is no fault; null = it is one. */
export function reasonFor(scenario: string, check: string, isExtension: boolean): string | null {
  if (isExtension) return 'an extension that Misstep does not speak';
  const known = REASONS.find(
    ([inScenario, inCheck]) => inScenario.test(scenario) && inCheck.test(check),
  );
  return known?.[2] ?? null;
}

const REASONS: readonly (readonly [RegExp, RegExp, string])[] = [
  [
    /^auth\/basic-cimd$/,
    /cimd/i,
    'a client metadata document needs a public address, which a program on one machine has not; Misstep registers instead',
  ],
  [
    /^auth\/pre-registration$/,
    /./,
    'the client that is known beforehand has a secret; Misstep takes a client id, no client secret',
  ],
  [
    /^auth\/scope-step-up$/,
    /^sep-2350-scope-union-on-reauth$/,
    'Misstep shows the scope that a refusal names; which scopes the next sign-in asks for is said by the person',
  ],
  [
    /^request-metadata$/,
    /^sep-2575-client-retry-supported-version$/,
    'the server refuses the revision that it lists as its only one; Misstep says so and asks no second time',
  ],
];
