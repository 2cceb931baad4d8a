/**
 * The little that prepared code brings with it. It stands behind the body's last line and outside of its function, so that
 * it shadows nothing and is shadowed by nothing.
 */

/** A name that occurs nowhere in a script's text. */
export function unusedName(text: string): string {
  let name = '$script'
  while (text.includes(name)) name += '$'
  return name
}

/**
 * `raw` takes positions of escapes (a list for each string of a template, offsets in the raw text as written) and gives a tag
 * that hands on the strings with those escapes undone, one frozen list a site, and the values.
 *
 * `pick`, `none` and `error` together make the read of an unknown name throw with the reader's own line on top of the stack:
 * a native constructor and a finished generator add no frame of theirs.
 */
export const SUPPORT_CODE = [
  '{raw:(known=>cuts=>(strings,...values)=>{let kept=known.get(strings);if(!kept){kept=[...strings];',
  "Object.defineProperty(kept,'raw',{value:Object.freeze(strings.raw.map((raw,i)=>cuts[i].reduce((text,at)=>",
  'text.slice(0,at)+String.fromCharCode(parseInt(text.slice(at+2,at+4),16))+text.slice(at+4),raw)))});',
  'known.set(strings,Object.freeze(kept))}return[kept,...values]})(new WeakMap()),',
  'pick:(_,value)=>value,none:(function*(){})(),error:ReferenceError}',
].join('')
