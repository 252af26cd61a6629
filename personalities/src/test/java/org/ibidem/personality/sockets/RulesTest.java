package org.ibidem.personality.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ibidem.personality.sockets.Rules.Entry;
import org.ibidem.personality.sockets.Rules.Target;
import org.ibidem.vlink.VLinks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulesTest {
    private static Target at(Rules rules, String address, int port) {
        return rules.target(address, InetAddress.ofLiteral(address).getAddress(), port);
    }

    @Test
    void the_first_that_fits_counts_and_what_none_names_is_native() {
        var rules =
                Rules.parse(
                        """
                        10.9.0.0/16 -> native           # before the larger network
                        10.0.0.0/8  -> rank 2
                        [fd00::1]:80 -> rank 6
                        fd00::/8 -> rank 3
                        db.Example.org:5432 -> rank 1 over shm
                        *.pool:8000-8999 -> rank *
                        """);
        assertThat(at(rules, "10.1.2.3", 1)).isEqualTo(new Target(2, "auto"));
        assertThat(at(rules, "10.9.2.3", 1)).isNull();
        assertThat(at(rules, "11.1.2.3", 1)).isNull();
        assertThat(at(rules, "fd12::1", 80)).isEqualTo(new Target(3, "auto"));
        assertThat(at(rules, "fd00::1", 80)).isEqualTo(new Target(6, "auto"));
        assertThat(rules.target("DB.example.org", null, 5432)).isEqualTo(new Target(1, "shm"));
        assertThat(rules.target("db.example.org", null, 5433)).isNull();
        assertThat(rules.target("17.pool", null, 8500)).isEqualTo(new Target(17, "auto"));
        assertThat(rules.target("17.pool", null, 9000)).isNull();
        assertThat(rules.target("x.pool", null, 8500)).isNull();
    }

    @Test
    void names_are_told_where_a_rule_makes_them_nodes_for_all_ports() {
        var rules =
                Rules.parse(
                        """
                        1.far -> native
                        db.example.org:5432 -> rank 1
                        www.example.org -> rank 2
                        *.far -> rank *
                        *.near -> rank 3
                        10.0.0.0/8 -> rank 2
                        """);
        assertThat(rules.names(3)).containsExactly("www.example.org", "0.far", "2.far");
        assertThat(rules.unnamed())
                .containsExactly("db.example.org:5432 -> rank 1", "*.near -> rank 3");
    }

    @Test
    void ports_are_listened_on_by_both_where_nothing_is_said() {
        var rules = Rules.parse("listen 80 -> native; listen 8000-8999 -> vlink");
        assertThat(rules.entry(80)).isEqualTo(Entry.NATIVE);
        assertThat(rules.entry(8080)).isEqualTo(Entry.VLINK);
        assertThat(rules.entry(81)).isEqualTo(Entry.BOTH);
    }

    @Test
    void a_port_takes_any_stack_or_the_one_that_is_said() {
        var rules = Rules.parse("listen 22 -> vlink over compress > tls > tcp; listen 80 -> both");
        assertThat(rules.entry(22)).isEqualTo(Entry.VLINK);
        assertThat(rules.over(22)).isEqualTo("compress > tls > tcp");
        assertThat(rules.over(80)).isEqualTo(VLinks.ANY);
        assertThat(rules.over(81)).isEqualTo(VLinks.ANY);
    }

    @Test
    void rules_come_from_a_file(@TempDir Path folder) throws Exception {
        var file = folder.resolve("rules");
        Files.writeString(file, "# all\n* -> rank 0\n");
        assertThat(Rules.parse("@" + file).target("x", null, 1)).isEqualTo(new Target(0, "auto"));
        assertThatThrownBy(() -> Rules.parse("@" + folder.resolve("none")))
                .isInstanceOf(BadRule.class)
                .hasMessageContaining("the file cannot be read");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    10.0.0.0/8                    | it has not the form
                    10.0.0.0/33 -> rank 1         | '/33' is no length: 0 to 32
                    x.org/8 -> rank 1             | is no destination
                    a*b -> rank 1                 | is no destination
                    x:99999 -> rank 1             | they go from 0 to 65535
                    x:9-8 -> rank 1               | they go from 0 to 65535
                    x:y -> rank 1                 | 'y' is no port
                    x -> node 1                   | 'node 1' is no place
                    x -> rank *                   | needs a name that begins with '*'
                    x -> rank 1; x -> rank 2      | it never counts
                    listen 80 -> tcp              | is none of vlink, native, both
                    listen 80-x -> native         | is no port
                    listen 80 -> native over tcp  | what is native goes over no stack
                    """)
    void a_bad_rule_is_refused_with_the_reason(String rule, String why) {
        assertThatThrownBy(() -> Rules.parse(rule))
                .isInstanceOf(BadRule.class)
                .hasMessageContaining(why);
    }
}
