export type {
  RecordedCall,
  ReplayCall,
  ReplayEnding,
  ReplayRefusal,
  ReplayRequest,
} from './replay-call.ts';
