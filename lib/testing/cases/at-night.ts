/** Whether this is `npm run test:all`. Tests that it alone runs are tagged `night`. */
export const isNight = process.env.PROOFBOARD_TEST_NIGHT === 'all'
