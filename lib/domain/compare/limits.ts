/** How many rows one comparison may have. */
export const FEWEST_ROWS = 2
export const MOST_ROWS = 8
