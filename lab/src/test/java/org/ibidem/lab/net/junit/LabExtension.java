package org.ibidem.lab.net.junit;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.LabRefused;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.plan.Plan;
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
import org.junit.platform.commons.support.ReflectionSupport;

/// Builds the laboratory of a test class, and hands it out. See [Laboratory].
final class LabExtension
        implements BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                TestExecutionExceptionHandler,
                ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(LabExtension.class);

    private static final String BEFORE = "programs before";

    private LabExtension() {}

    /// The store of JUnit closes it after the class.
    @Override
    public void beforeAll(ExtensionContext context) {
        var plan =
                AnnotationSupport.findAnnotation(context.getRequiredTestClass(), Laboratory.class)
                        .orElseThrow()
                        .value();
        try {
            store(context).put(Lab.class, up(plan));
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

    private static Lab up(Class<? extends Plan> plan) {
        return Lab.up(ReflectionSupport.newInstance(plan).network());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var lab = store(context).get(Lab.class, Lab.class);
        if (lab != null) {
            var before = store(context).get(BEFORE, List.class);
            var during = new ArrayList<>(lab.programs());
            during.removeAll(before == null ? List.of() : before);
            during.forEach(Running::kill);
            during.forEach(Running::close);
            lab.reset();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        store(context).put(BEFORE, store(context).get(Lab.class, Lab.class).programs());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Lab.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return store(context).get(Lab.class, Lab.class);
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }
}
