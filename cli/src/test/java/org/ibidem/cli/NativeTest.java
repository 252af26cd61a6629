package org.ibidem.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The command, the hub, the applications and the core, with all that comes with them, run where
/// native access is not granted.
class NativeTest {
    private static final Set<String> LOADING =
            Set.of(
                    "java.lang.System.load",
                    "java.lang.System.loadLibrary",
                    "java.lang.Runtime.load",
                    "java.lang.Runtime.loadLibrary",
                    "java.lang.foreign.SymbolLookup.libraryLookup",
                    "java.lang.foreign.MemorySegment.reinterpret",
                    "java.lang.foreign.AddressLayout.withTargetLayout",
                    "java.lang.ModuleLayer$Controller.enableNativeAccess");

    static final JavaClasses CLASSES = imported();

    /// Of what they use, the names are enough.
    private static JavaClasses imported() {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("org.ibidem", "picocli");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.ibidem.cli.Main",
                "org.ibidem.hub.Hub",
                "org.ibidem.port.SendPort",
                "org.ibidem.apps.sor.Sor",
                "picocli.CommandLine"
            })
    void all_of_them_are_looked_at(String name) {
        assertThat(CLASSES.contain(name)).isTrue();
    }

    @Test
    void nothing_is_declared_native() {
        noMethods().should().haveModifier(JavaModifier.NATIVE).check(CLASSES);
    }

    @Test
    void nothing_loads_or_calls_native_code() {
        noClasses()
                .should()
                .accessTargetWhere(
                        describe(
                                "it needs native access",
                                access -> {
                                    var owner = access.getTargetOwner().getName();
                                    return owner.equals("java.lang.foreign.Linker")
                                            || LOADING.contains(owner + "." + access.getName());
                                }))
                .check(CLASSES);
    }
}
