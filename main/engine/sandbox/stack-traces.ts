/** Stack traces as a script sees them: its own frames alone, so that they are the same on every machine and name no path of it. */
import { SOURCE_URL } from './position.ts'

interface Site {
  getFunctionName(): string | null
  getScriptNameOrSourceURL(): string | null | undefined
}

// The language's own `Error`: V8 asks it how to write a stack, also after lockdown has put another one in its place.
const BuiltInError = Error as ErrorConstructor & { prepareStackTrace?: unknown }

/** After lockdown, which brings a writer of its own. An error that no script had a part in keeps the names of our functions. */
export function useScriptStacks(): void {
  BuiltInError.prepareStackTrace = (error: unknown, sites: readonly Site[]): string => {
    const own = sites.filter((site) => site.getScriptNameOrSourceURL()?.startsWith(SOURCE_URL) === true)
    const lines = own.length > 0 ? own.map(String) : sites.map((site) => `${site.getFunctionName() ?? 'a function'} (reprise)`)
    return [heading(error), ...lines].join('\n    at ')
  }
}

function heading(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'Error'
  }
}
