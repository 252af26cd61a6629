package org.ibidem.lab.net.junit;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.LabRefused;
import org.ibidem.lab.net.Running;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;

/// Builds the laboratory of a test class, and hands it out. See [Laboratory].
final class LabExtension
        implements BeforeAllCallback,
                AfterAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                TestExecutionExceptionHandler,
                ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(LabExtension.class);

    private static final String BEFORE = "programs before";

    private LabExtension() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        var plan =
                AnnotationSupport.findAnnotation(context.getRequiredTestClass(), Laboratory.class)
                        .orElseThrow()
                        .value();
        try {
            store(context).put(Kept.class, Kept.take(plan));
        } catch (LabRefused e) {
            abort(e.getMessage());
        }
    }

    /// Something the machine lacks may be found out in the middle of a test.
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable e)
            throws Throwable {
        if (e instanceof LabRefused || e.getCause() instanceof LabRefused) {
            abort(String.valueOf(e.getMessage()));
        }
        throw e;
    }

    /// Its own programs end; it is kept for the next class.
    @Override
    public void afterAll(ExtensionContext context) {
        var kept = store(context).get(Kept.class, Kept.class);
        if (kept != null) {
            var lab = kept.lab();
            end(lab.programs().stream().filter(program -> !program.isKept()).toList());
            lab.reset();
            Kept.give(kept);
        }
    }

    private static void end(List<Running> programs) {
        programs.forEach(Running::killAll);
        programs.forEach(Running::close);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var lab = lab(context);
        if (lab != null) {
            var before = store(context).get(BEFORE, List.class);
            var during = new ArrayList<>(lab.programs());
            during.removeAll(before == null ? List.of() : before);
            during.removeIf(Running::isKept);
            end(during);
            lab.reset();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        store(context).put(BEFORE, Objects.requireNonNull(lab(context)).programs());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Lab.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Objects.requireNonNull(lab(context));
    }

    private static @Nullable Lab lab(ExtensionContext context) {
        var kept = store(context).get(Kept.class, Kept.class);
        return kept == null ? null : kept.lab();
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }
}
