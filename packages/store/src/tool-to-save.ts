import type { Origin } from '@misstep/model';

/** A tool's definition as a recording holds it. */
export interface ToolToSave {
  readonly server: string | null;
  readonly name: string;
  readonly definition: Origin;
  /** The definition where no bytes of the source are it; `definition` then says what holds it. */
  readonly definitionText?: string;
  /** True where `definition` is the bare name. */
  readonly isNameOnly?: true;
}
