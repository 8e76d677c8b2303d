import type { Command } from '../command.ts';
import { auditCommand } from './audit.ts';
import { compareCommand } from './compare.ts';
import {
  experimentAttributeCommand,
  experimentBoundaryCommand,
  experimentRaceCommand,
  experimentRepeatCommand,
} from './experiment.ts';
import {
  experimentExportCommand,
  experimentListCommand,
  experimentShowCommand,
} from './experiment-records.ts';
import { exportSourceCommand } from './export-source.ts';
import { findCommand } from './find.ts';
import { importCommand } from './import.ts';
import { loopCommand } from './loop.ts';
import { markCommand } from './mark.ts';
import { otlpCommand } from './otlp.ts';
import { pricesCommand, pricesResetCommand, pricesSetCommand } from './prices.ts';
import { receiptExportCommand, receiptShowCommand, receiptVerifyCommand } from './receipt.ts';
import { replayCommand } from './replay.ts';
import { runsCommand } from './runs.ts';
import { schemaCommand } from './schema.ts';
import { serveCommand } from './serve.ts';
import { showCommand } from './show.ts';
import { takeAwayCommand } from './take-away.ts';
import {
  targetAddCommand,
  targetConfirmCommand,
  targetListCommand,
  targetRemoveCommand,
} from './target.ts';
import { targetImportCommand } from './target-import.ts';
import { targetSecretsCommand, targetSetCommand } from './target-set.ts';
import { targetSignInCommand, targetSignOutCommand } from './target-sign-in.ts';
import { watchCommand } from './watch.ts';
import { wireCommand } from './wire.ts';

/** Every command. A new one is one file here and one line. */
export const commands: readonly Command[] = [
  serveCommand,
  importCommand,
  findCommand,
  watchCommand,
  otlpCommand,
  runsCommand,
  showCommand,
  auditCommand,
  pricesCommand,
  pricesSetCommand,
  pricesResetCommand,
  markCommand,
  wireCommand,
  exportSourceCommand,
  targetAddCommand,
  targetConfirmCommand,
  targetListCommand,
  targetSetCommand,
  targetSecretsCommand,
  targetImportCommand,
  targetSignInCommand,
  targetSignOutCommand,
  targetRemoveCommand,
  replayCommand,
  compareCommand,
  receiptShowCommand,
  receiptVerifyCommand,
  receiptExportCommand,
  takeAwayCommand,
  schemaCommand,
  experimentRepeatCommand,
  experimentRaceCommand,
  experimentAttributeCommand,
  experimentBoundaryCommand,
  experimentListCommand,
  experimentShowCommand,
  experimentExportCommand,
  loopCommand,
];
