# ./ibidem docs: the guide, the documentation of all that is exported, and the manual pages, as a site
# in dist/docs. Sourced by ./ibidem.

# The modules that a program may depend on.
documented='base serial transport node core hub authority mpj personalities satin wrap models'

make_docs() {
    build cli # what the modules stand on lies beside its jars; and its commands have manual pages
    need_maven
    site=$dist/docs staged=$dist/docs-staged
    rm -rf "$site" "$staged"
    mkdir -p "$site" "$staged/doc-files"
    # Annotations are nowhere at run time; the path of a module without others of ours has them.
    (become_maven -q dependency:build-classpath -Dmdep.outputFile="$staged/path" -pl fixtures) \
        >"$dist/docs.log" 2>&1 || die "Maven says no; see dist/docs.log"
    stage_guide
    set --
    names=
    for module in $documented; do
        sources=$root/$module/src/main/java
        # Pages in the folder doc-files of a module are shown with it.
        if [ "$module" = core ]; then sources=$sources:$staged; fi
        set -- "$@" --module-source-path "org.ibidem.$module=$sources"
        names=$names,org.ibidem.$module
    done
    # A warning is an error: what is exported is documented well, or not at all.
    "$java_home/bin/javadoc" -quiet -notimestamp -Xdoclint:all,-missing -Werror -d "$site" \
        -doctitle Ibidem -windowtitle Ibidem -overview "$staged/overview.md" \
        --module-path "$(cat "$staged/path"):$(readlink "$dist/cli")" "$@" --module "${names#,}" >"$dist/docs.log" 2>&1 || {
        grep -A 2 -E 'warning|error' "$dist/docs.log" | head -n 30 >&2
        die "the documentation has errors; all of them are in dist/docs.log"
    }
    "$root/ibidem" man "$site/man/man1" >/dev/null
    rm -rf "$staged"
    say "the site is dist/docs/index.html; its manual pages are read with: man -M dist/docs/man ibidem-run"
}

# The pages of the guide; links to sources go to their documentation, those to other pages are text. (A
# link may begin in one line and end in the next.)
stage_guide() {
    modules=$(echo "$documented" | tr ' ' '|')
    for page in "$root"/docs/guide/*.md; do
        name=$(basename "$page" .md)
        sed -E -e ':all' -e '$!{N;b all}' \
            -e "s,\\]\\(\\.\\./\\.\\./($modules)/src/main/java/([A-Za-z/]+)\\.java,](@org.ibidem.\\1/\\2.html,g" \
            -e 's,\[([^]]*)\]\(\.\./[^)]*\),\1,g' \
            -e 's,\]\(@,](../../,g' -e 's,\]\(([A-Za-z-]+)\.md,](\1.html,g' "$page" >"$staged/doc-files/$name.md"
    done
    mv "$staged/doc-files/README.md" "$staged/doc-files/guide.md"
    sed -i.old 's,README.html,guide.html,g' "$staged"/doc-files/*.md
    rm -f "$staged"/doc-files/*.old
    # The overview is two levels above.
    sed -E 's,\]\(([a-z-]+\.html),](org.ibidem.core/doc-files/\1,g; s,\]\(\.\./\.\./org,](org,g' \
        "$staged/doc-files/guide.md" >"$staged/overview.md"
}
