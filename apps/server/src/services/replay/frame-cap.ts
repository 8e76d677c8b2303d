/** A connection whose answer is larger than this ends, with what came so far. */
export const MAX_FRAME_BYTES = 67_108_864;
