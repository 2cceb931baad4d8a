/** What a shell loads to complete `reprise`: each asks the command itself, so nothing has to be loaded again after an update. */

/** How the scripts ask: `reprise __complete <word>…` prints a candidate a line, `:files` where files fit too. */
export const ASK = '__complete'
export const FILES_LINE = ':files'

const bash = `# Completion of reprise for bash. Load it with: source <(reprise completion bash)
_reprise() {
  local line cur="\${COMP_WORDS[COMP_CWORD]}" files=0
  [[ $cur == "=" ]] && cur=""
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == "${FILES_LINE}" ]]; then files=1; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <("\${COMP_WORDS[0]}" ${ASK} "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$cur" 2>/dev/null)
  if (( files )); then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
  fi
}
complete -F _reprise reprise
`

const zsh = `#compdef reprise
# Completion of reprise for zsh. Load it with: source <(reprise completion zsh)
_reprise() {
  local line files=0
  local -a found
  for line in "\${(@f)$("\${words[1]}" ${ASK} "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == "${FILES_LINE}" ]]; then files=1
    elif [[ -n $line ]]; then found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); fi
  done
  (( \${#found} )) && _describe reprise found
  (( files )) && _files
  return 0
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then _reprise "$@"; else compdef _reprise reprise; fi
`

const fish = `# Completion of reprise for fish. Load it with: reprise completion fish | source
function __reprise_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l command $words[1]
  set -e words[1]
  for line in ($command ${ASK} $words "$current" 2>/dev/null)
    if test "$line" = "${FILES_LINE}"
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c reprise -f -k -a '(__reprise_complete)'
`

export const SCRIPTS = { bash, zsh, fish } as const
