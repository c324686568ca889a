/** True in `npm run test:all`. Tests that only it runs are tagged `night`. */
export const isNight = process.env.PROOFBOARD_TEST_NIGHT === 'all'
