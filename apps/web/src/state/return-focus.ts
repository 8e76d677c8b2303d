/** Set where a screen is left for the run, taken once by the run that is shown then. */
let wantedStepId: string | null = null;

/** The run's tree takes the focus when it opens at this step: whoever left it from there is back. */
export function returnFocusTo(stepId: string): void {
  wantedStepId = stepId;
}

/** True once, for the step that was named. */
export function takesFocusBack(stepId: string | null): boolean {
  const isWanted = stepId !== null && stepId === wantedStepId;
  if (isWanted) wantedStepId = null;
  return isWanted;
}
