package org.ibidem.hub;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which room of `hub` may know what. The state machine knows nothing that could answer otherwise
/// the next time.
class HubRoomsTest {
    private static final String HUB = "org.ibidem.hub";

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(HUB);

    /// What is in the packages that the state machine may know, and is chance, time or the outside.
    private static final Set<String> FORBIDDEN =
            Set.of(
                    "java.lang.System.nanoTime",
                    "java.lang.System.currentTimeMillis",
                    "java.lang.System.getLogger",
                    "java.lang.System.getProperty",
                    "java.lang.System.getenv",
                    "java.lang.System.identityHashCode",
                    "java.lang.System.out",
                    "java.lang.System.err",
                    "java.lang.Math.random",
                    "java.lang.Object.wait",
                    "java.lang.Object.notify",
                    "java.lang.Object.notifyAll");

    private static final Set<String> FORBIDDEN_TYPES =
            Set.of(
                    "java.lang.Thread",
                    "java.lang.ThreadLocal",
                    "java.lang.Runtime",
                    "java.lang.Process",
                    "java.lang.ProcessBuilder",
                    "java.util.Random",
                    "java.util.UUID",
                    "java.util.Timer",
                    "java.util.Date",
                    "java.util.Calendar",
                    "java.util.IdentityHashMap",
                    "java.util.WeakHashMap");

    private static boolean isForbidden(JavaAccess<?> access) {
        var owner = access.getTargetOwner().getName();
        return FORBIDDEN_TYPES.contains(owner)
                || FORBIDDEN.contains(owner + "." + access.getName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"pools", "journal", "relay"})
    void a_room_knows_no_other_room_of_the_hub(String room) {
        var own = HUB + "." + room + "..";
        assertThat(CLASSES.stream().filter(resideInAPackage(own))).hasSizeGreaterThan(3);
        noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(resideInAPackage(HUB + "..").and(not(resideInAPackage(own))))
                .check(CLASSES);
    }

    @Test
    void the_state_machine_knows_no_input_no_output_and_no_network() {
        classes()
                .that()
                .resideInAPackage(HUB + ".pools..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(
                                        "java.lang",
                                        "java.lang.annotation",
                                        "java.lang.invoke",
                                        "java.lang.runtime",
                                        "java.util",
                                        "java.util.function",
                                        "java.util.stream",
                                        "org.ibidem",
                                        "org.ibidem.buffer",
                                        "org.ibidem.topology",
                                        "org.ibidem.registry",
                                        "org.ibidem.registry.wire",
                                        "org.jspecify..",
                                        HUB + ".pools")
                                .or(
                                        describe(
                                                "an array or a primitive",
                                                each -> each.isArray() || each.isPrimitive())))
                .check(CLASSES);
    }

    @Test
    void the_state_machine_knows_no_clock_no_thread_no_logger_and_no_chance() {
        noClasses()
                .that()
                .resideInAPackage(HUB + ".pools..")
                .should()
                .accessTargetWhere(describe("it is of the outside", HubRoomsTest::isForbidden))
                .check(CLASSES);
    }

    @Test
    void only_the_journal_writes_files_and_only_the_relay_has_selectors() {
        noClasses()
                .that()
                .resideOutsideOfPackage(HUB + ".journal..")
                .and()
                .doNotHaveSimpleName("Watched") // only asks whether a file is another one
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.nio\\.file\\.Files|java\\.nio\\.channels\\.FileChannel")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage(HUB + ".relay..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.nio\\.channels\\.Selector")
                .check(CLASSES);
    }

    @Test
    void time_is_what_the_tasks_say() {
        noClasses()
                .should()
                .accessTargetWhere(
                        describe(
                                "it is the time",
                                access ->
                                        access.getTargetOwner().getName().equals("java.lang.System")
                                                && Set.of("nanoTime", "currentTimeMillis")
                                                        .contains(access.getName())))
                .check(CLASSES);
    }
}
