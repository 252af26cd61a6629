package org.ibidem.lab.net.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.ibidem.lab.net.plan.Plan;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// The tests of this class run in a network laboratory, which is given to whatever of them, or of
/// the methods before and after them, takes a [org.ibidem.lab.net.Lab].
///
/// It is built once for all classes of its plan, which come one after the other. After each test
/// its lines are as they were described, and the programs it started have ended; those of
/// `@BeforeAll` run on until the class ends. What a test changes besides, at a gateway, it puts
/// right. Where the machine allows no laboratory, the tests are skipped with the reason.
@Tag("lab")
@Tag("network")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LabExtension.class)
public @interface Laboratory {
    /// What to build; it has a constructor without arguments.
    Class<? extends Plan> value();
}
