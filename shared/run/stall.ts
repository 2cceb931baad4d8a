/** How long an agent that tells what it does may be silent before it is taken as stuck, in minutes. */
export const STALL_MINUTES = 20
/** A week. */
export const MOST_STALL_MINUTES = 10_080
