/** The one place where the runner reads its own environment; subjects get what `subjectEnv` allows by name. */
export const OWN_ENV: Readonly<Record<string, string | undefined>> = process.env
