/** Completion scripts by shell. Each calls the program, so options are always current. */
export const completionScripts: Record<string, string> = {
  bash: `_venue_network() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(venue-network complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _venue_network venue-network
`,
  zsh: `#compdef venue-network
_venue_network() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(venue-network complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe 'venue-network' found || _files
}
if [ "$funcstack[1]" = _venue_network ]; then
  _venue_network "$@"
else
  compdef _venue_network venue-network
fi
`,
  fish: `complete -c venue-network -f -a \\
  '(venue-network complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
}
