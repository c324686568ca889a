/** How long any action of any library may wait for its element: the same for all of them. */
export const ACTION_TIMEOUT_MS = 8000
